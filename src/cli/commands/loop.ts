import { Command } from '@commander-js/extra-typings';
import { chooseEngine } from '../../engines/list.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import type { CheckResult } from '../../evidence/schema/check-report.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { exitCodeForReport, runTask } from '../../run/run.ts';
import { checksJsonOption, handledBy, parseAndRun, runsToWriteOption } from '../options.ts';
import { resolveRunSource } from '../run-source.ts';
import { interruptible } from '../interrupt.ts';
import { print } from '../print.ts';
import { progressFor, reportLines } from '../print/run-output.ts';
import { readSettings } from '../environment/settings.ts';
import { createRunEnvironment } from '../environment/run-environment.ts';

/** A loop is a run whose choices are made: which engine, at which stage, with which admitted model, on which task. */
const LOOPS: Readonly<Record<string, { readonly engine: string; readonly env: Readonly<Record<string, string>> }>> = {
  'case-qwen': {
    engine: 'case',
    env: {
      CTO_HARNESS_CASE_STAGE: '2',
      CTO_HARNESS_CASE_MODEL_PROVIDER: 'qwen-local',
      CTO_HARNESS_CASE_MODEL: 'qwen3.6-35b-a3b',
    },
  },
};
const TASK = 'r1-string-slugify';

interface Flags {
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

export function loopCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('loop')
    .description(
      [
        'The standard way to a real run of a candidate: stage, admitted model and task are set.',
        '  case-qwen   Case with qwen-local / qwen3.6-35b-a3b on the artificial fixture',
        'What is yours to say: CTO_HARNESS_ALLOW_CASE=1, CTO_HARNESS_CASE_BIN, CTO_HARNESS_CASE_LOCAL_BASE_URL.',
      ].join('\n'),
    )
    .argument('<name>', Object.keys(LOOPS).join(', '))
    .addOption(runsToWriteOption())
    .addOption(checksJsonOption());
  return parseAndRun(
    handledBy(command, ([name], options) => loop(name, options)),
    args,
  );
}

async function loop(name: string, flags: Flags): Promise<ExitCode> {
  const chosen = Object.hasOwn(LOOPS, name) ? LOOPS[name] : undefined;
  if (chosen === undefined)
    throw new SeatrialError(
      'usage',
      `unknown loop ${JSON.stringify(name)}; the loops are ${Object.keys(LOOPS).join(', ')}`,
    );
  const asked = await resolveRunSource(TASK, { commit: 'HEAD' });
  const progress = progressFor({ ...flags, repeat: 1 });
  const report = await runTask({
    ...asked,
    site: createRunEnvironment(readSettings(process.cwd()), {
      confine: 'bubblewrap',
      env: { ...process.env, ...chosen.env },
      ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    }),
    engine: chooseEngine({ engine: chosen.engine }),
    watch: progress,
    signal: interruptible(),
  }).finally(() => progress.end());
  const ok = report.status === 'pass';
  print(flags.json, { ok, checks: checksOf(report) }, () => reportLines([report], 1));
  return exitCodeForReport(report);
}

/** Every admission check of the run, and its verdict. */
function checksOf(report: Report): CheckResult[] {
  const gates = readEvents(`${report.run_dir}/${EVENTS_FILE}`).flatMap((event) =>
    event.type === 'gate.checked' ? [event.data] : [],
  );
  return [
    ...gates.map(({ gate, passed, reason, detail }) => ({
      name: gate,
      ok: passed,
      detail: reason === null ? detail : `${reason}: ${detail}`,
      run: report.run_id,
    })),
    {
      name: 'verdict',
      ok: report.status === 'pass',
      detail: report.failure_reason ?? report.status,
      run: report.run_id,
    },
  ];
}
