import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdmissionRecord, ModelRecord } from '../evidence/schema/admission.ts';
import { decideAdmission, firstRefusal } from './decide.ts';
import type { AdmissionCheck } from './checks/check.ts';
import {
  checkConfined,
  checkEnabled,
  checkExecutable,
  checkMutation,
  checkSource,
  checkStage,
  checkTimeLimit,
} from './checks/engine-checks.ts';
import { checkCredentials, checkEndpoint, checkModel, checkResponseShape } from './checks/model-checks.ts';
import { requiredGates } from './eligibility.ts';
import type { AdmissionFacts } from './facts.ts';
import { policyOf } from './policy.ts';
import type { RecordFault } from './records/parse.ts';
import { admittedFacts, sampleExecutable, sampleModel, sampleSource, sampleTask } from './sample-records.fixture.ts';
import { someRuns } from '../kernel/some-of.fixture.ts';

const VARIABLE_OF_QWEN = 'CTO_HARNESS_CASE_LOCAL_BASE_URL';

function withRecords(...records: AdmissionRecord[]): AdmissionFacts['admissions'] {
  return { records: records.map((record, index) => ({ file: `${index}.json`, record })), faults: [] };
}

const codex = { ...sampleModel, provider: 'openai-codex', model: 'gpt-5.5', endpoint_variable: null };
const broken = (kind: RecordFault['kind'], engine: string | null = null): AdmissionFacts['admissions'] => ({
  ...admittedFacts.admissions,
  faults: [{ file: 'broken.json', what: 'is not JSON', hint: 'mend it', kind, engine }],
});

const builtIn = admittedFacts.task!;
const claimed = { ...builtIn, builtIn: false };
const ofRepository = { ...claimed, mutation: 'copied repository only' };
const STAGE_3 = { stage: { named: '3', earned: 2 }, task: ofRepository };

/** In the order of the table: the problem, the refusing gate, the code of the reason, and the marker. */
const REFUSALS: readonly (readonly [string, Partial<AdmissionFacts>, string, string, string | null])[] = [
  ['not enabled', { enabled: 'variable not set' }, 'enabled', 'engine_not_enabled', null],
  ['disabled', { enabled: 'disabled by settings' }, 'enabled', 'engine_not_enabled', null],
  ['no stage', { stage: { named: null, earned: 6 } }, 'stage', 'stage_not_set', null],
  ['stage abc', { stage: { named: 'abc', earned: 6 } }, 'stage', 'stage_not_set', null],
  ['stage 7', { stage: { named: '7', earned: 6 } }, 'stage', 'stage_not_set', null],
  ['stage 2.5', { stage: { named: '2.5', earned: 6 } }, 'stage', 'stage_not_set', null],
  ['stage 2 before 1', { stage: { named: '2', earned: 0 } }, 'stage', 'stage_not_earned', null],
  ['stage 4 before 3', { stage: { named: '4', earned: 2 } }, 'stage', 'stage_not_earned', null],
  ['stage 1, at which only checks run', { stage: { named: '1', earned: 6 } }, 'stage', 'stage_not_set', null],
  ['a copied repository at stage 2', { task: ofRepository }, 'mutation', 'mutation_out_of_scope', null],
  ['an artificial task at stage 3', { stage: { named: '3', earned: 2 } }, 'mutation', 'mutation_out_of_scope', null],
  ['artificial by its own word', { task: claimed }, 'mutation', 'mutation_out_of_scope', null],
  [
    'a task that was admitted for another engine',
    { task: claimed, admissions: withRecords({ ...sampleTask, engine: 'pi' }) },
    'mutation',
    'mutation_out_of_scope',
    null,
  ],
  ['unconfined', { confined: false }, 'confined', 'confinement_required', null],
  [
    'stage 3 without a source',
    { ...STAGE_3, admissions: withRecords(sampleExecutable, sampleModel) },
    'source',
    'source_not_admitted',
    null,
  ],
  [
    'stage 3 with a source that was only looked at',
    {
      ...STAGE_3,
      admissions: withRecords({ ...sampleSource, discovery_only: true, discovery_note: 'a clone' }, sampleModel),
    },
    'source',
    'source_not_admitted',
    null,
  ],
  [
    'stage 3 with an executable of another commit',
    {
      ...STAGE_3,
      admissions: withRecords({ ...sampleSource, commit: 'a'.repeat(40) }, sampleExecutable, sampleModel),
    },
    'source',
    'source_not_admitted',
    null,
  ],
  [
    'stage 3 with a record that cannot be read',
    { ...STAGE_3, admissions: broken('source') },
    'source',
    'source_not_admitted',
    null,
  ],
  ['no executable named', { executable: { state: 'not named' } }, 'executable', 'provider_unavailable', null],
  [
    'executable missing',
    { executable: { state: 'unusable', path: '/opt/ca', why: 'does not exist' } },
    'executable',
    'provider_unavailable',
    null,
  ],
  [
    'executable in a temporary directory',
    { executable: { state: 'temporary', path: '/tmp/ca', dir: '/tmp' } },
    'executable',
    'executable_not_admitted',
    null,
  ],
  [
    'executable with other bytes',
    { executable: { state: 'present', use: 'copy', path: '/opt/ca', sha256: 'f'.repeat(64), bytes: 3 } },
    'executable',
    'executable_not_admitted',
    null,
  ],
  [
    'executable admitted for another engine',
    { admissions: withRecords({ ...sampleExecutable, engine: 'pi' }, sampleModel) },
    'executable',
    'executable_not_admitted',
    null,
  ],
  [
    'a record that could be of any kind cannot be read',
    { admissions: broken(null) },
    'executable',
    'executable_not_admitted',
    null,
  ],
  [
    'no model named',
    { model: { provider: null, name: null } },
    'model',
    'model_not_admitted',
    'provider-model-not-admitted.txt',
  ],
  [
    'model_not_admitted',
    { model: { provider: 'anthropic', name: 'claude-sonnet-4-6' } },
    'model',
    'model_not_admitted',
    'provider-model-not-admitted.txt',
  ],
  [
    'the runtime identity of an admitted model',
    { model: { provider: 'openai', name: 'qwen3.6-35b-a3b' } },
    'model',
    'model_not_admitted',
    'provider-model-not-admitted.txt',
  ],
  [
    'model record that cannot be read',
    { admissions: broken('model', 'case') },
    'model',
    'model_not_admitted',
    'provider-model-not-admitted.txt',
  ],
  [
    'codex without a bridge',
    { model: { provider: 'openai-codex', name: 'gpt-5.5' }, admissions: withRecords(sampleExecutable, codex) },
    'credentials',
    'auth_bridge_unavailable',
    'provider-auth-bridge-unavailable.txt',
  ],
  [
    'key not set',
    { admissions: withRecords(sampleExecutable, { ...sampleModel, key_variable: 'QWEN_KEY' }) },
    'credentials',
    'auth_bridge_unavailable',
    'provider-auth-bridge-unavailable.txt',
  ],
  [
    'endpoint not set',
    { variablesSet: new Set() },
    'endpoint',
    'provider_unavailable',
    'provider-local-config-unavailable.txt',
  ],
  [
    'an endpoint with a password in it',
    { endpointFaults: { [VARIABLE_OF_QWEN]: 'holds a user name or password' } },
    'endpoint',
    'provider_unavailable',
    'provider-local-config-unavailable.txt',
  ],
  [
    'no variable for an endpoint that is not public',
    { admissions: withRecords(sampleExecutable, { ...sampleModel, endpoint_variable: null }) },
    'endpoint',
    'provider_unavailable',
    'provider-local-config-unavailable.txt',
  ],
  ...['0', '-1', '1.5', 'ten', '1e3', '10000000'].map(
    (timeLimit) => [`time limit ${timeLimit}`, { timeLimit }, 'time limit', 'invalid_time_limit', null] as const,
  ),
  [
    'reasoning only',
    { shape: { kind: 'reasoning_only', detail: 'content was null' } },
    'response shape',
    'response_shape_unavailable',
    'provider-reasoning-only.txt',
  ],
  [
    'an empty answer',
    { shape: { kind: 'empty', detail: 'nothing' } },
    'response shape',
    'response_shape_unavailable',
    null,
  ],
  [
    'another model',
    { shape: { kind: 'other_model', detail: 'it answered as x', answeredBy: 'x' } },
    'response shape',
    'other_model_served',
    null,
  ],
  ['no answer', { shape: { kind: 'no_answer', detail: 'refused' } }, 'response shape', 'provider_unavailable', null],
];

const policy = policyOf('case')!;

/** The checks in the order of the specification, each run alone. */
const TABLE: readonly ((facts: AdmissionFacts) => AdmissionCheck | null)[] = [
  (facts) => checkEnabled(facts, policy),
  (facts) => checkStage(facts, policy),
  (facts) => checkMutation(facts, policy),
  (facts) => checkConfined(facts, policy),
  (facts) => checkSource(facts, policy),
  (facts) => checkExecutable(facts, policy),
  (facts) => checkModel(facts, policy),
  (facts) => checkCredentials(facts, policy),
  (facts) => checkEndpoint(facts, policy),
  (facts) => checkTimeLimit(facts, policy),
  ({ shape }) => (shape === null ? null : checkResponseShape(shape)),
];

describe('an engine that needs all admissions', () => {
  it('passes its gates in order when everything is admitted', () => {
    const checks = decideAdmission({ ...admittedFacts, timeLimit: '8' });
    expect(checks.every((check) => check.passed)).toBe(true);
    expect(checks.map((check) => check.gate)).toEqual(requiredGates(admittedFacts).slice(0, checks.length));
  });

  it.each(REFUSALS)('%s: refused at its gate with its reason and marker', (_name, change, gate, code, marker) => {
    const checks = decideAdmission({ ...admittedFacts, ...change });
    const last = checks.at(-1);
    expect(last).toMatchObject({ gate, passed: false, reason: { code }, marker, next: expect.stringMatching(/\S/) });
    expect(checks.slice(0, -1).every((check) => check.passed)).toBe(true);
  });

  it('is refused by the first failing check of the table, whatever the facts, and later checks do not run', () => {
    const part = <K extends keyof AdmissionFacts>(key: K): fc.Arbitrary<AdmissionFacts[K]> =>
      fc.constantFrom(
        admittedFacts[key],
        ...REFUSALS.flatMap(([, change]) => (change[key] === undefined ? [] : [change[key]])),
      );
    const anyFacts: fc.Arbitrary<AdmissionFacts> = fc.record({
      engine: fc.constant('case'),
      policy: fc.constant(admittedFacts.policy),
      enabled: part('enabled'),
      repository: part('repository'),
      stage: part('stage'),
      admissions: part('admissions'),
      executable: part('executable'),
      model: part('model'),
      variablesSet: part('variablesSet'),
      provenBridges: part('provenBridges'),
      signIns: part('signIns'),
      endpointFaults: part('endpointFaults'),
      timeLimit: part('timeLimit'),
      task: part('task'),
      confined: part('confined'),
      replayed: fc.boolean(),
      shape: fc.constantFrom(null, ...REFUSALS.flatMap(([, { shape }]) => (shape === undefined ? [] : [shape]))),
    });
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const alone = TABLE.map((check) => check(facts)).filter((check) => check !== null);
        const refusal = alone.findIndex((check) => !check.passed);
        expect(decideAdmission(facts)).toEqual(refusal === -1 ? alone : alone.slice(0, refusal + 1));
      }),
      { numRuns: someRuns(2000) },
    );
  });

  it('takes a task directory for artificial that was admitted by its digest', () => {
    const admissions = withRecords(sampleExecutable, sampleModel, sampleTask);
    expect(firstRefusal({ ...admittedFacts, task: claimed, admissions })).toBeNull();
  });

  it('accepts a bridge for codex that a check has shown, and not by the words of its record', () => {
    const words = { ...codex, endpoint_variable: VARIABLE_OF_QWEN, auth_bridge: { name: 'b', evidence: 'run 1' } };
    const facts = { ...admittedFacts, model: { provider: 'openai-codex', name: 'gpt-5.5' } };
    const signedIn = { codex: { state: 'ready', where: '~/.codex/auth.json', expiresAt: null, why: null } } as const;
    const refusal = (record: ModelRecord, change: Partial<AdmissionFacts> = {}) =>
      firstRefusal({ ...facts, admissions: withRecords(sampleExecutable, record), signIns: signedIn, ...change });
    const proven = { provenBridges: new Set(['openai-codex']) };
    expect(refusal(words)).toMatchObject({
      reason: { code: 'auth_bridge_unavailable' },
      next: expect.stringMatching(/--login codex/),
    });
    expect(refusal(words, proven)?.reason.code).toBe('auth_bridge_unavailable');
    const bridged = { ...words, login: 'codex' } as const;
    expect(refusal(bridged)).toMatchObject({
      reason: { code: 'auth_bridge_unavailable' },
      next: expect.stringContaining('seatrial check auth-bridge openai-codex'),
    });
    expect(refusal(bridged, proven)).toBeNull();
  });

  it('is not blocked by a broken record of another engine', () => {
    expect(firstRefusal({ ...admittedFacts, admissions: broken('model', 'pi') })).toBeNull();
    expect(firstRefusal({ ...admittedFacts, admissions: broken(null, 'pi') })).toBeNull();
  });

  it('names the file that blocks', () => {
    expect(firstRefusal({ ...admittedFacts, admissions: broken('model') })).toMatchObject({
      detail: 'broken.json is not JSON',
      next: 'mend it',
    });
  });

  it('does not reveal a URL or key that is in the wrong variable', () => {
    const canary = 'sk-canary4f9a8b7c6d5e4f3a2b1c';
    for (const text of ['http://10.0.0.7:8000/v1', canary, 'x'.repeat(200)]) {
      for (const change of [
        { model: { provider: text, name: text } },
        { stage: { named: text, earned: 1 } },
        { timeLimit: text },
      ]) {
        const shown = JSON.stringify(decideAdmission({ ...admittedFacts, ...change }));
        expect(shown).not.toContain(text);
        expect(shown).toContain('"passed":false');
      }
    }
  });
});

it.each(['fake', 'command'])('%s needs no admission and ignores broken records', (engine) => {
  const model = { provider: null, name: null };
  const facts = { ...admittedFacts, engine, policy: policyOf(engine), model, admissions: broken(null), shape: null };
  expect(decideAdmission(facts)).toMatchObject([{ gate: 'enabled', passed: true }]);
});

it('a command with a model needs that model admitted, and nothing else', () => {
  const facts = {
    ...admittedFacts,
    engine: 'command',
    policy: policyOf('command'),
    model: { provider: 'a', name: 'b' },
  };
  expect(firstRefusal(facts)).toMatchObject({
    reason: { code: 'model_not_admitted' },
    next: expect.stringContaining('seatrial admit engine command --model a/b'),
  });
});

it('an engine without a policy may not run', () => {
  expect(firstRefusal({ ...admittedFacts, engine: 'new', policy: policyOf('new') })?.reason.code).toBe(
    'engine_not_enabled',
  );
  expect(policyOf('toString')).toBeNull();
});

describe('a login', () => {
  const claude = {
    ...sampleModel,
    engine: 'claude',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    login: 'claude',
  } as const;
  const facts = (record: ModelRecord, state: 'ready' | 'expired' | 'absent' | 'unusable'): AdmissionFacts => ({
    ...admittedFacts,
    engine: record.engine,
    policy: policyOf(record.engine),
    model: { provider: record.provider, name: record.model },
    admissions: withRecords({ ...sampleExecutable, engine: record.engine }, record),
    signIns: { [record.login ?? 'codex']: { state, where: 'CLAUDE_CODE_OAUTH_TOKEN', expiresAt: 0, why: null } },
  });

  it.each([
    ['ready', null],
    ['expired', 'login_expired'],
    ['absent', 'login_missing'],
    ['unusable', 'login_missing'],
  ] as const)('that is %s: %s', (state, code) => {
    const refusal = firstRefusal(facts(claude, state));
    expect(refusal?.reason.code ?? null).toBe(code);
    expect(refusal?.next ?? 'claude setup-token').toContain('claude setup-token');
  });

  it('is not needed for a replay', () => {
    expect(firstRefusal({ ...facts(claude, 'absent'), replayed: true })).toBeNull();
  });

  it.each([
    [{ engine: 'gemini', provider: 'google', login: 'codex' }, /gemini takes keys only/],
    [{ engine: 'qwen', provider: 'dashscope', login: 'codex' }, /qwen takes keys only/],
    [{ engine: 'opencode', provider: 'openai-codex', login: 'codex' }, /opencode takes keys only/],
    [{ engine: 'command', provider: 'anthropic', login: 'claude' }, /command takes keys only/],
    [{ engine: 'pi', provider: 'anthropic', login: 'claude' }, /pi uses a login for openai-codex only/],
    [{ engine: 'pi', provider: 'openai-codex', login: 'codex' }, /pi may use the login of pi/],
    [{ engine: 'claude', provider: 'anthropic', login: 'codex' }, /claude may use the login of claude/],
    [{ engine: 'codex', provider: 'openai', login: 'codex' }, /codex uses a login for openai-codex only/],
  ] as const)('of another program or provider is refused: %j', (use, sentence) => {
    const record = { ...sampleModel, ...use, model: 'm', runtime: { provider: use.provider, model: 'm' } };
    expect(firstRefusal(facts(record, 'ready'))).toMatchObject({
      gate: 'credentials',
      detail: expect.stringMatching(sentence),
    });
  });
});
