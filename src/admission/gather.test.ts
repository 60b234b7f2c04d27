import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../kernel/digest.ts';
import { allRefusals, firstRefusal } from './decide.ts';
import { decideEligibility } from './eligibility.ts';
import type { AdmissionFacts } from './facts.ts';
import { gatherAdmissionFacts } from './gather.ts';
import { admittedFacts, sampleExecutable, sampleModel } from './sample-records.fixture.ts';

let dir: string;
let program: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gather-'));
  program = join(dir, 'ca');
  writeFileSync(program, 'ca', { mode: 0o755 });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const KEY = 'canary-key-1f2e3d';
const ENDPOINT = 'http://canary-host.invalid:8000/v1';

function gather(
  env: Readonly<Record<string, string>>,
  more: { earnedStage?: () => number; disabled?: string[] } = {},
): AdmissionFacts {
  const admissions = {
    records: [
      { file: 'ca.json', record: sampleExecutable },
      { file: 'qwen.json', record: { ...sampleModel, key_variable: 'QWEN_KEY' } },
    ],
    faults: [],
  };
  const all = {
    CTO_HARNESS_ALLOW_CASE: '1',
    CTO_HARNESS_CASE_STAGE: '2',
    CTO_HARNESS_CASE_BIN: program,
    CTO_HARNESS_CASE_MODEL_PROVIDER: 'qwen-local',
    CTO_HARNESS_CASE_MODEL: 'qwen3.6-35b-a3b',
    CTO_HARNESS_CASE_LOCAL_BASE_URL: ENDPOINT,
    QWEN_KEY: KEY,
    ...env,
  };
  return gatherAdmissionFacts('case', {
    env: all,
    cwd: dir,
    admissions,
    disabled: [],
    temporary: [],
    modelFor: () => null,
    cacheDir: null,
    earnedStage: () => 1,
    ...more,
  });
}

it('an environment that names only admitted things passes, and the facts contain no secrets', () => {
  const facts = gather({});
  expect(firstRefusal(facts)).toBeNull();
  expect(facts.executable).toEqual({ state: 'present', path: program, sha256: sha256('ca'), bytes: 2, use: 'copy' });
  expect([...facts.variablesSet].sort()).toEqual(['CTO_HARNESS_CASE_LOCAL_BASE_URL', 'QWEN_KEY']);
  const told = JSON.stringify({ ...facts, variablesSet: [...facts.variablesSet] });
  expect(told).not.toMatch(/canary/);
});

it.each([
  ['CTO_HARNESS_ALLOW_CASE', 'yes', 'engine_not_enabled'],
  ['CTO_HARNESS_ALLOW_CASE', 'true', 'engine_not_enabled'],
  ['CTO_HARNESS_CASE_STAGE', '', 'stage_not_set'],
  ['CTO_HARNESS_CASE_BIN', '', 'provider_unavailable'],
  ['CTO_HARNESS_CASE_BIN', '/nonexistent/ca', 'provider_unavailable'],
  ['CTO_HARNESS_CASE_BIN', '/usr', 'provider_unavailable'],
  ['CTO_HARNESS_CASE_BIN', '/dev/zero', 'provider_unavailable'],
  ['CTO_HARNESS_CASE_BIN', process.execPath, 'executable_not_admitted'],
  ['CTO_HARNESS_CASE_MODEL', ' ', 'model_not_admitted'],
  ['QWEN_KEY', '', 'auth_bridge_unavailable'],
  ['CTO_HARNESS_CASE_LOCAL_BASE_URL', '  ', 'provider_unavailable'],
  ['CTO_HARNESS_CASE_TIMEOUT_SECONDS', 'soon', 'invalid_time_limit'],
])('%s=%j: %s', (name, value, code) => {
  expect(firstRefusal(gather({ [name]: value }))?.reason.code).toBe(code);
});

it('a program without execute permission is unavailable', () => {
  const plain = join(dir, 'plain');
  writeFileSync(plain, 'ca');
  chmodSync(plain, 0o644);
  expect(firstRefusal(gather({ CTO_HARNESS_CASE_BIN: plain }))?.detail).toContain('is not readable and executable');
});

it('resolves a path relative to the working directory of the command', () => {
  expect(gather({ CTO_HARNESS_CASE_BIN: 'ca' }).executable).toMatchObject({ state: 'present', path: program });
});

it('the settings can disable an engine that its variable enables', () => {
  expect(firstRefusal(gather({}, { disabled: ['case'] }))?.detail).toBe('seatrial.toml disables it');
});

it('eligibility names the selected engine, why each other is denied, and what to do next', () => {
  const fake = gatherAdmissionFacts('fake', { ...NO_ADMISSIONS, cwd: dir });
  const off = gatherAdmissionFacts('case', { ...NO_ADMISSIONS, cwd: dir });
  const contract = { risk_class: 'low', mutation: 'workspace' } as Parameters<typeof decideEligibility>[0]['contract'];
  const decide = (engine: string, ...engines: AdmissionFacts[]) =>
    decideEligibility({ runId: 'r', engine, contract, engines });
  expect(decide('fake', fake, off)).toMatchObject({
    selected_backend: 'fake',
    denied_backends: [{ backend: 'case', reason: 'engine not enabled: case' }],
    required_gates: ['enabled', 'test command', 'isolation', 'clean tree', 'probe', 'no target'],
  });
  expect(decide('case', fake, off)).toMatchObject({
    selected_backend: null,
    denied_backends: [
      { backend: 'fake', reason: 'not selected' },
      { backend: 'case', reason: 'engine not enabled: case' },
    ],
    reasons: ['case was requested by name', 'engine not enabled: case: CTO_HARNESS_ALLOW_CASE is not 1'],
    escalation_path: 'set CTO_HARNESS_ALLOW_CASE=1',
  });
  expect(decide('case', fake, admittedFacts)).toMatchObject({ selected_backend: 'case' });
  expect(decide('unheard-of', fake).selected_backend).toBeNull();
});

const NO_ADMISSIONS = {
  env: {},
  admissions: { records: [], faults: [] },
  disabled: [],
  temporary: [],
  modelFor: () => null,
  cacheDir: null,
  earnedStage: () => 0,
};

it('an agent without records has every obstacle at once: program, model and the usual key of its provider', () => {
  const admissions = { records: [], faults: [] };
  const caller = {
    env: { PATH: '/nonexistent' },
    cwd: dir,
    admissions,
    disabled: [],
    temporary: [],
    cacheDir: null,
    modelFor: () => null,
    earnedStage: () => 0,
  };
  const obstacles = allRefusals(gatherAdmissionFacts('claude', caller)).map(({ gate, next }) => [gate, next]);
  expect(obstacles).toEqual([
    [
      'executable',
      expect.stringMatching(/npm install --global @anthropic-ai\/claude-code|seatrial admit engine claude/),
    ],
    ['model', 'admit one: `seatrial admit engine claude --model sonnet`'],
    ['credentials', expect.stringContaining('`export ANTHROPIC_API_KEY=…`')],
  ]);
  const keyed = gatherAdmissionFacts('claude', { ...caller, env: { ...caller.env, ANTHROPIC_API_KEY: KEY } });
  expect(allRefusals(keyed).map(({ gate }) => gate)).toEqual(['executable', 'model']);
});
