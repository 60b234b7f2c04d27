import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Caller, gatherFacts } from '../admission/gather.ts';
import type { Engine } from '../engines/definition.ts';
import type { CheckedProgram, CheckSuite, Scenario, SelfTest, Setting } from '../engines/self-test.ts';
import { reportFieldsOf } from '../engines/list.ts';
import type { HarnessKey } from '../evidence/bundle/keys.ts';
import { verifyBundle } from '../evidence/verify/verify-bundle.ts';
import { EVENTS_FILE, readEvents } from '../evidence/log/events.ts';
import { codesOf } from '../evidence/reasons/explain.ts';
import type { Report } from '../evidence/schema/report.ts';
import { SecretPatterns } from '../evidence/secrets/patterns.ts';
import { allValues } from '../evidence/secrets/variables.ts';
import { startScriptedModel } from '../gateway/scripted/server.ts';
import { playLogin } from './play-login.ts';
import { type Played, type Row, seenIn } from '../run/selftest/row.ts';
import { secretsOfSignIn, signInOf } from '../gateway/sign-in/read.ts';
import { removeScratch } from '../confine/remove-scratch.ts';
import { makeScratch } from '../confine/scratch.ts';
import type { TaskRecord } from '../evidence/schema/admission.ts';
import { contractDigest, contractOf } from '../task/contract-of.ts';
import type { RunRequest } from '../run/request.ts';
import { runTask } from '../run/run.ts';

/** An engine whose adapter is checked, and its program. */
export interface Checked {
  readonly engine: Engine;
  readonly selfTest: SelfTest;
  readonly program: CheckedProgram;
}

/** The suite as rows, each played as a whole run. */
export function suiteRows({ name: kind }: CheckSuite, checked: Checked): Row[] {
  return (checked.selfTest.scenarios[kind] ?? []).map((scenario) => ({
    name: scenario.name,
    kind,
    expected: scenario.expected,
    play: (request) => playScenario(scenario, checked, request),
  }));
}

async function playScenario(
  { script, change = (setting) => setting, fault, obstructs, login: trial }: Scenario,
  { engine, selfTest, program }: Checked,
  request: RunRequest,
): Promise<Played> {
  const { keyCanary } = selfTest;
  const scratch = makeScratch();
  const login = trial === undefined ? null : playLogin(trial, scratch);
  const model = await startScriptedModel(script, login === null ? {} : { demand: login.demand });
  const baseUrl = login?.baseUrl(model.url) ?? model.url;
  const canaries = [baseUrl, ...(login?.secrets ?? [keyCanary])];
  try {
    const setting = change(selfTest.setting(program, baseUrl, request.terms));
    const env = { ...setting.env, ...login?.env };
    const caller = callerInSetting({ ...setting, env }, engine.name, request);
    const upstream = { baseUrl, key: login === null ? keyCanary : signInOf(login.program, env) };
    // What a caller's environment knows at the start; a token that is renewed later is known to the gateway alone.
    const { key } = upstream;
    const known = typeof key === 'string' ? { key } : secretsOfSignIn(key);
    const secrets = allValues([['endpoint', baseUrl], ...Object.entries(known)]);
    const report = await runTask({
      ...request,
      terms: setting.terms,
      engine,
      plantTarget: true,
      ...(fault === undefined ? {} : { fault }),
      ...(obstructs === undefined ? {} : { onCreated: ({ dir }) => mkdirSync(join(dir, obstructs)) }),
      environment: {
        ...request.environment,
        secrets: new SecretPatterns(secrets),
        models: { upstream: () => upstream, budgets: () => ({}), certificates: null },
        admission: (requested, run) => gatherFacts(requested, caller, run),
      },
    });
    const facts = factsOf(report, canaries, request.environment.key);
    return { seen: seenIn(report, facts), run: report.run_id };
  } finally {
    await model.close();
    await removeScratch(scratch);
  }
}

/** The caller that a setting describes. */
export function callerInSetting(
  { env, records, earnedStage, terms, admitsTask, provesBridge = false }: Setting,
  engine: string,
  { inputs }: Pick<RunRequest, 'inputs'>,
): Caller {
  const task: TaskRecord = {
    schema_version: 1,
    kind: 'task',
    engine,
    task: terms.task,
    sha256: contractDigest(contractOf({ ...inputs, terms })),
    path: inputs.filesDir,
    mutation: terms.mutation,
    admitted_at: new Date(0).toISOString(),
    approver: 'seatrial check',
  };
  const all = [...records, ...(admitsTask ? [task] : [])];
  const admissions = { records: all.map((record, at) => ({ file: `${at}.json`, record })), faults: [] };
  return {
    env,
    cwd: '/',
    admissions,
    disabled: [],
    temporary: [],
    modelFor: () => null,
    cacheDir: null,
    earnedStage: () => earnedStage,
    isBridgeProven: () => provesBridge,
  };
}

/** By their names in the report. */
const REQUIRED_ARTIFACTS = [
  'report',
  'report_md',
  'report_html',
  'events',
  'trace',
  'patch',
  'test_log',
  'contract',
  'stdout',
  'stderr',
  'eligibility',
  'no_target_inspection',
  'baseline',
  'manifest',
  'attestation',
];

/** A report's findings beyond its verdict, on one line. */
function factsOf(report: Report, secrets: readonly string[], key: HarnessKey): string {
  const { model } = report;
  const { verdict } = verifyBundle(report.run_dir, {
    trusted: [{ name: 'this harness', ...key }],
    now: new Date(),
    engineFields: reportFieldsOf,
  });
  const absent = REQUIRED_ARTIFACTS.filter((name) => !existsSync(join(report.run_dir, report.artifacts[name] ?? name)));
  const gates = readEvents(`${report.run_dir}/${EVENTS_FILE}`).filter(({ type }) => type === 'gate.checked').length;
  return [
    `started ${report.backend_process_started}`,
    `completion ${report.backend_completion}`,
    `model ${model === null ? 'none' : `${model.provider}/${model.name} as ${model.runtime_provider} ${model.admission_status}`}`,
    `source ${report.source_admission_status}`,
    `changed ${report.changed_files.join(',') || 'nothing'}`,
    `tests ${report.tests.passed ? 'passed' : 'not passed'}`,
    `control ${report.baseline?.status ?? 'none'}`,
    `gates ${gates}`,
    `requests ${report.usage.requests ?? 'none'}`,
    `bundle ${verdict}`,
    `absent ${absent.join(',') || 'none'}`,
    `writes ${report.allowed_writes_passed}`,
    `targets ${report.target_conclusion ?? 'not inspected'}`,
    `markers ${report.markers.join(',') || 'none'}`,
    `blockers ${codesOf(report).join(', ') || 'none'}`,
    `leaks ${leaksIn(report.run_dir, secrets)}`,
  ].join('; ');
}

/** Number of files in a bundle that contain a secret. */
function leaksIn(dir: string, secrets: readonly string[]): number {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytesOf = (entry: (typeof files)[number]): Buffer => readFileSync(join(entry.parentPath, entry.name));
  return files.filter((entry) => secrets.some((secret) => bytesOf(entry).includes(secret))).length;
}
