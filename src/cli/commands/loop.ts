import { Command } from '@commander-js/extra-typings';
import { chooseEngine, ENGINES } from '../../engines/list.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import type { CheckResult } from '../../evidence/schema/check-report.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { ALL_REASONS } from '../../engines/list.ts';
import { exitCodeForReport } from '../../evidence/reasons/explain.ts';
import { runTask } from '../../run/run.ts';
import { checksJsonOption, handledBy, parseAndRun, runsToWriteOption } from '../options.ts';
import { resolveRunSource } from '../run-source.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print } from '../print.ts';
import { progressFor, reportLines } from '../print/run-output.ts';
import { readSettings } from '../environment/settings.ts';
import { createRunEnvironment } from '../environment/run-environment.ts';

/** Every loop of every engine, by its name. */
const LOOPS = new Map(
  ENGINES.flatMap((engine) => engine.loops.map((entry) => [entry.name, { ...entry, engine: engine.name }] as const)),
);

interface Flags {
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

export function loopCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('loop')
    .description(
      [
        'Run a candidate engine the standard way: stage, admitted model and task are set.',
        ...Array.from(LOOPS.values(), ({ name, summary }) => `  ${name.padEnd(12)} ${summary}`),
        ...Array.from(LOOPS.values(), ({ name, needs }) => `${name} needs ${needs.join(', ')}.`),
      ].join('\n'),
    )
    .argument('<name>', [...LOOPS.keys()].join(', '))
    .addOption(runsToWriteOption())
    .addOption(checksJsonOption());
  return parseAndRun(
    handledBy(command, ([name], options) => loop(name, options)),
    args,
  );
}

async function loop(name: string, flags: Flags): Promise<ExitCode> {
  const chosen = LOOPS.get(name);
  if (chosen === undefined)
    throw new SeatrialError(
      'usage',
      `unknown loop ${JSON.stringify(name)}; the loops are ${[...LOOPS.keys()].join(', ')}`,
    );
  const asked = await resolveRunSource(chosen.task, { commit: 'HEAD' });
  const progress = progressFor({ ...flags, repeat: 1 });
  const report = await runTask({
    ...asked,
    environment: createRunEnvironment(readSettings(process.cwd()), {
      confine: 'bubblewrap',
      env: { ...process.env, ...chosen.env },
      ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    }),
    engine: chooseEngine(chosen.engine),
    plantTarget: true,
    watch: progress,
    signal: interruptible(),
  }).finally(() => progress.end());
  const ok = report.status === 'pass';
  print(flags.json, { ok, checks: checksOf(report) }, () => reportLines([report], 1));
  return exitCodeForReport(report, ALL_REASONS);
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
