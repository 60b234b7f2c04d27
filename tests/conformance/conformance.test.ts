import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { someOf } from '../../src/kernel/some-of.fixture.ts';
import { gatherFacts } from '../../src/admission/gather.ts';
import { openPlayground } from '../../src/cli/environment/playground.ts';
import {
  type Behaviour,
  BEHAVIOURS,
  type FindAbsent,
  CALLER_CANARY,
  isSettingsFile,
  LEFT_BEHIND,
  LOGINS,
  MODEL_FAULTS,
  PERMISSIONS,
  POISON,
  type Rehearsal,
  type Rehearse,
} from '../../src/engines/conformance/behaviours.fixture.ts';
import { ENGINES } from '../../src/engines/list.ts';
import type { Exchange } from '../../src/evidence/schema/exchange.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { verifyBundle } from '../../src/evidence/verify/verify-bundle.ts';
import type { ApprovalPolicy } from '../../src/run/approvals/policy.ts';
import { EXCHANGES_FILE } from '../../src/run/model/exchange-log.ts';
import { runTask } from '../../src/run/run.ts';
import type { RunRequest } from '../../src/run/request.ts';
import { callerInSetting } from '../../src/stages/play-suite.ts';
import { writeBelow } from '../support/seatrial.ts';
import { readVerdicts, verdictOf } from '../support/agent-verdicts.ts';
import { processesWith } from '../support/processes.ts';

/** `short` leaves out what only shows how the harness treats a hostile program; `all` plays everything with agents too. */
const extent = process.env['SEATRIAL_CONFORMANCE'];

const root = mkdtempSync(join(tmpdir(), 'seatrial-conformance-'));
const home = join(root, 'home');

beforeAll(() => {
  mkdirSync(join(root, 'project'));
  mkdirSync(home);
  writeFileSync(join(home, POISON), 'must not be seen\n');
  writeFileSync(join(home, '.gitconfig'), '[core]\n\thooksPath = /nonexistent\n[user]\n\tname = poisoned\n');
  vi.stubEnv('HOME', home);
  vi.stubEnv(CALLER_CANARY.variable, CALLER_CANARY.value);
  vi.spyOn(process, 'cwd').mockReturnValue(join(root, 'project'));
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

interface RehearsalFile {
  readonly rehearse: Rehearse;
  readonly findAbsent?: FindAbsent;
}

const rehearsals = await Promise.all(
  ENGINES.map(async ({ name, policy }) => {
    const [dir, profile] = name.split(':');
    const file = await import(`../../src/engines/${dir}/rehearsal.fixture.ts`);
    const { rehearse, findAbsent }: RehearsalFile = profile === undefined ? file : file.rehearsalOf(profile);
    return { name, policy, rehearse, asks: profile !== undefined, absent: (await findAbsent?.()) ?? null };
  }),
);

describe.each(rehearsals.map((one) => [one.name, one] as const))(
  'the engine %s',
  (name, { policy, rehearse, asks, absent }) => {
    // An agent that people install takes seconds to start: `npm run test:engines` plays all of it.
    const isAgent = policy.executable?.from === 'path';
    const logins = Object.keys(policy.logins).length === 0 ? [] : LOGINS;
    const all = isAgent
      ? [...BEHAVIOURS, ...MODEL_FAULTS, ...(asks ? PERMISSIONS : []), ...logins]
      : BEHAVIOURS.filter(({ hostileSettings }) => !hostileSettings);
    // Of one that is talked with, the program itself is played already.
    const isBrief = ({ short, work, name: what }: Behaviour): boolean =>
      short === true && work !== 'breaks' && !(asks && ['solves the task', 'changes nothing'].includes(what));
    const some = isAgent && extent !== 'all' ? all.filter(isBrief) : all;
    const within = some.filter(({ short }) => short === true || extent !== 'short');
    const possible = absent === null ? within : within.filter(({ standIn }, at) => at === 0 || standIn === true);
    // Every behaviour with the engine that costs least, some with each of the others.
    const played = name === 'fake' || extent !== undefined ? possible : someOf(possible);
    it.for(played.map((behaviour) => [behaviour.name, behaviour] as const))(
      'whose program %s',
      async ([, behaviour], context) => {
        if (absent !== null && behaviour.standIn !== true) return context.skip(absent);
        const { report, secrets } = await perform(name, behaviour, rehearse);
        // An engine that the harness ended, because the work was proven done, has no exit code to be judged by.
        const proven = behaviour.work === 'solves' && report.backend_completion === 'completed_by_harness';
        const { status, blocker } = proven ? { status: 'pass', blocker: undefined } : behaviour.expected;
        const missing = [blocker?.(name) ?? []]
          .flat()
          .filter((reason) => !report.blockers.some((one) => one.startsWith(reason)));
        expect({ status: report.status, missing }, described(report)).toEqual({ status, missing: [] });
        expect(behaviour.policy === undefined || report.approvals.length > 0, described(report)).toBe(true);
        if (isAgent && behaviour.expected.status !== 'pass') compareVerdict(name, behaviour.name, report);
        expect(verifyBundle(report.run_dir, { trusted: [], now: new Date() }).checks.filter(({ ok }) => !ok)).toEqual(
          [],
        );
        expect(filesHolding(report.run_dir, secrets)).toEqual([]);
        expect(processesWith(/^sleep /, LEFT_BEHIND)).toEqual([]);
      },
    );
    if (!isAgent || extent !== 'all') return;
    it('whose program is repeated without its model', async (context) => {
      if (absent !== null) return context.skip(absent);
      const [solves] = BEHAVIOURS;
      if (solves === undefined) throw new Error('there is no first behaviour');
      const [first, again] = await performTwice(name, solves, rehearse);
      expect(first.status, described(first)).toBe('pass');
      expect([again.status, again.changed_files], described(again)).toEqual(['pass', first.changed_files]);
      expect(again.markers).toContain('backend/model-replayed.txt');
    });
  },
);

/** What docs/engines.md shows is what was seen. `npm run test:engines` writes it anew. */
function compareVerdict(engine: string, behaviour: string, report: Report): void {
  const seen = verdictOf(report, engine);
  const results = process.env['SEATRIAL_CONFORMANCE_RESULTS'];
  if (results !== undefined) return appendFileSync(results, `${JSON.stringify({ engine, behaviour, ...seen })}\n`);
  const { exit: _exit, ...told } = readVerdicts()[behaviour]?.[engine] ?? {};
  const { exit: _seen, ...verdict } = seen;
  expect(told, 'docs/agent-verdicts.json is out of date: `npm run test:engines` writes it').toEqual(verdict);
}

/** The second time from what was recorded the first time: its model is gone. */
async function performTwice(name: string, behaviour: Behaviour, rehearse: Rehearse): Promise<[Report, Report]> {
  const scratch = mkdtempSync(join(root, 'rehearsal-'));
  const rehearsal = await rehearse(behaviour, scratch);
  const { request } = openPlayground(`conformance-${name}`, join(root, 'runs', name));
  const asked = requestFor(request, behaviour, scratch, rehearsal);
  const admitted = admittedIn(asked, name, rehearsal);
  const once = { ...asked, engine: rehearsal.engine, ...admitted };
  try {
    const first = await runTask(once);
    await rehearsal.close();
    const recorded = readFileSync(join(first.run_dir, EXCHANGES_FILE), 'utf8').trimEnd().split('\n');
    const exchanges = recorded
      .map((line) => JSON.parse(line) as Exchange)
      .filter(({ purpose }) => purpose === 'engine');
    return [first, await runTask({ ...once, replay: { startedAt: first.run_started_at, exchanges } })];
  } finally {
    await rehearsal.close();
  }
}

/** For whoever reads a failure: the run is gone by then. */
function described({ blockers, run_dir: dir }: Report): string {
  const told = ['stdout.log', 'stderr.log'].map((name) => {
    const path = join(dir, 'backend', name);
    return existsSync(path) ? readFileSync(path, 'utf8').slice(-1500) : '';
  });
  return [blockers.join(', '), ...told].join('\n');
}

interface Performed {
  readonly report: Report;
  readonly secrets: readonly string[];
}

/** Nothing is masked here, so that what an engine could see would show in its output. */
function filesHolding(dir: string, secrets: readonly string[]): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => secrets.some((secret) => readFileSync(path).includes(secret)));
}

async function perform(name: string, behaviour: Behaviour, rehearse: Rehearse): Promise<Performed> {
  const scratch = mkdtempSync(join(root, 'rehearsal-'));
  const rehearsal = await rehearse(behaviour, scratch);
  try {
    const { request } = openPlayground(`conformance-${name}`, join(root, 'runs', name));
    const asked = requestFor(request, behaviour, scratch, rehearsal);
    const report = await runTask({
      ...asked,
      engine: rehearsal.engine,
      ...admittedIn(asked, name, rehearsal, behaviour.policy),
    });
    return { report, secrets: [...(rehearsal.admitted?.secrets ?? []), CALLER_CANARY.value] };
  } finally {
    await rehearsal.close();
  }
}

const SETTINGS = '{"model": "another", "hooks": ["exit 9"]}\n';

/** The task, in a repository that also brings settings for the engine. */
function requestFor(
  request: RunRequest,
  { timeLimitSec, hostileSettings }: Behaviour,
  scratch: string,
  { engine, hostileSettings: settings = {} }: Rehearsal,
): RunRequest {
  const filesDir = join(scratch, 'files');
  cpSync(request.inputs.filesDir, filesDir, { recursive: true });
  if (hostileSettings === true) writeBelow(filesDir, settings);
  else
    for (const name of engine.hides)
      writeBelow(filesDir, { [isSettingsFile(name) ? name : `${name}/settings.json`]: SETTINGS });
  return {
    ...request,
    inputs: { ...request.inputs, filesDir },
    terms: { ...request.terms, ...(timeLimitSec === undefined ? {} : { agent_timeout_sec: timeLimitSec }) },
  };
}

const policyThat = (effect: NonNullable<Behaviour['policy']>): ApprovalPolicy => ({
  rules: [{ effect, action: '*', path: null, command: null, source: 'the suite' }],
  answerWithinSec: 1,
  answerLaterWithinSec: 1,
});

function admittedIn(
  request: RunRequest,
  engine: string,
  { admitted, readOnly = [] }: Rehearsal,
  policy?: Behaviour['policy'],
): Partial<RunRequest> {
  if (admitted === undefined) return {};
  const caller = callerInSetting(admitted.setting(request.terms), engine, request);
  return {
    environment: {
      ...request.environment,
      readOnly,
      ...(policy === undefined ? {} : { approvals: policyThat(policy) }),
      models: { upstream: () => admitted.upstream, budgets: () => ({}), certificates: null },
      admission: (requested, run) => gatherFacts(requested, caller, run),
    },
  };
}
