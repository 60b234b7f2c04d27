import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatherAdmissionFacts } from '../../admission/gather.ts';
import { caseEngine } from '../../engines/case/engine.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { allValues } from '../../evidence/secrets/variables.ts';
import type { ModelScript } from '../../gateway/scripted/schema.ts';
import { startScriptedModel } from '../../gateway/scripted/server.ts';
import type { Fault } from '../../gateway/types.ts';
import { type Expected, type Played, type Row, seenIn } from '../../run/selftest/row.ts';
import type { RunRequest } from '../../run/request.ts';
import { runTask } from '../../run/run.ts';
import { callerIn, completeSetting, KEY_CANARY, type CaseProgram, type Setting } from './setting.ts';

/** One thing that the adapter must do: a model that behaves so, a caller who did this, and what must come of it. */
export interface Scenario {
  readonly name: string;
  readonly script: ModelScript;
  readonly fault?: Fault;
  readonly change?: (setting: Setting) => Setting;
  readonly expected: Expected;
}

export interface CheckSuite {
  readonly name: string;
  readonly stage: number;
  readonly scenarios: readonly Scenario[];
}

/** The suite as rows that are played through whole runs, with one program standing for Case. */
export function suiteRows({ name: kind, stage, scenarios }: CheckSuite, program: CaseProgram): Row[] {
  return scenarios.map((scenario) => ({
    name: scenario.name,
    kind,
    expected: scenario.expected,
    play: (order) => playScenario(scenario, program, stage, order),
  }));
}

async function playScenario(
  { script, change = (setting) => setting, fault }: Scenario,
  program: CaseProgram,
  stage: number,
  order: RunRequest,
): Promise<Played> {
  const model = await startScriptedModel(script);
  try {
    const setting = change(completeSetting(program, stage, model.url, order.terms));
    const upstream = { baseUrl: model.url, key: KEY_CANARY };
    const secrets = allValues([
      ['endpoint', model.url],
      ['key', KEY_CANARY],
    ]);
    const report = await runTask({
      ...order,
      terms: setting.terms,
      engine: caseEngine,
      ...(fault === undefined ? {} : { fault }),
      site: {
        ...order.site,
        secrets: new SecretPatterns(secrets),
        models: { upstream: () => upstream, budgets: () => ({}), certificates: null },
        admission: (engine) => gatherAdmissionFacts(engine, callerIn(setting)),
      },
    });
    const facts = factsOf(report, [model.url, KEY_CANARY]);
    return { seen: seenIn(report, facts), run: report.run_id };
  } finally {
    await model.close();
  }
}

/** What a report says beyond its verdict, on one line. */
function factsOf(report: Report, secrets: readonly string[]): string {
  const { model } = report;
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
    `markers ${report.markers.join(',') || 'none'}`,
    `blockers ${report.blockers.join(', ') || 'none'}`,
    `leaks ${leaksIn(report.run_dir, secrets)}`,
  ].join('; ');
}

/** How many files of a bundle hold what must be in none. */
function leaksIn(dir: string, secrets: readonly string[]): number {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytesOf = (entry: (typeof files)[number]): Buffer => readFileSync(join(entry.parentPath, entry.name));
  return files.filter((entry) => secrets.some((secret) => bytesOf(entry).includes(secret))).length;
}
