import type { Report } from '../evidence/schema/report.ts';
import type { ExitCode } from '../kernel/exit-codes.ts';
import type { GivenRequest } from '../run/given.ts';
import { ALL_REASONS } from '../engines/list.ts';
import { exitCodeForReport } from '../evidence/reasons/explain.ts';
import { runTask } from '../run/run.ts';
import { createRunEnvironment } from './environment/run-environment.ts';
import { readSettings } from './environment/settings.ts';
import { interruptible } from './terminal/interrupt.ts';
import { print } from './print.ts';
import { progressFor, reportLines } from './print/run-output.ts';

interface Flags {
  readonly runs?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

/** Judges a change that was made elsewhere and keeps a bundle of it. `hidden`: a directory with sealed tests. */
export async function judgeGiven(given: GivenRequest, flags: Flags, hidden: string | null): Promise<Report> {
  const environment = createRunEnvironment(readSettings(process.cwd()), {
    confine: 'bubblewrap',
    ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
  });
  const progress = progressFor({ json: flags.json, repeat: 1 });
  return runTask({
    ...given,
    solutionDir: null,
    taskDir: hidden,
    environment,
    watch: progress,
    signal: interruptible(),
  }).finally(() => progress.end());
}

/** The same, and prints the verdict. */
export async function runGiven(given: GivenRequest, flags: Flags, hidden: string | null): Promise<ExitCode> {
  const report = await judgeGiven(given, flags, hidden);
  print(flags.json, report, () => reportLines([report], 1));
  return exitCodeForReport(report, ALL_REASONS);
}
