import { userInfo } from 'node:os';
import { makeTemporary } from '../../../evidence/bundle/temporary.ts';
import { Command } from '@commander-js/extra-typings';
import { findRun, readRun } from '../../../evidence/bundle/runs.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { verifyBundle } from '../../../evidence/verify/verify-bundle.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { approvedChange } from '../../../run/given.ts';
import { answerEnded, chooseOpenQuestions, holdQuestions, judgedAgainIn } from './answer-ended.ts';
import { answerLines, answerRunning } from '../../answer-running.ts';
import { openBaseCache } from '../../environment/base-cache.ts';
import { runsToRead } from '../../environment/settings.ts';
import { handledBy, jsonOption, parseAndRun, runsToWriteOption, signerOption, workspaceOption } from '../../options.ts';
import { print } from '../../print.ts';
import { runGiven } from '../../run-given.ts';
import { whoseSeals } from '../../environment/whose-seals.ts';

interface Flags {
  readonly all?: true | undefined;
  readonly key?: string | undefined;
  readonly runs?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

export function approveCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('approve')
    .description(
      'Answer the questions of a run with yes. A run under way goes on; the change of one that ended blocked is judged again, with the approved files in its own version, in a new bundle that names the run.',
    )
    .argument('<run>', 'run id, the beginning of one, `last`, or the path of a bundle')
    .argument('[ids...]', 'questions to approve, such as permission-1 or deciding:tests/test_slug.py')
    .option('--all', 'approve every open question of the run')
    .addOption(signerOption())
    .addOption(workspaceOption('for judging again'))
    .addOption(runsToWriteOption())
    .addOption(jsonOption('print the report, or the answers to a run under way, as JSON'));
  return parseAndRun(
    handledBy(command, ([run, ids], options) => approve(run, ids, options)),
    args,
  );
}

async function approve(wanted: string, ids: readonly string[], flags: Flags): Promise<ExitCode> {
  const runsDir = runsToRead(flags.runs, process.cwd());
  const dir = findRun(runsDir, wanted);
  if (readRun(dir).state === 'running') {
    const answers = answerRunning(dir, { ids, all: flags.all === true }, 'granted');
    print(flags.json, answers, () => answerLines(answers));
    return EXIT.pass;
  }
  const report = provenReport(dir, flags);
  const chosen = chooseOpenQuestions(report, { ids, all: flags.all === true }, new Date());
  const release = await holdQuestions(dir, report, chosen);
  const scratch = makeTemporary('approve');
  try {
    const answered = judgedAgainIn(runsDir, report, chosen);
    if (answered !== null)
      throw new SeatrialError('usage', `${report.run_id} was already approved: see run ${answered}`);
    const [first] = answerEnded(dir, chosen, 'granted');
    const by = first?.by ?? userInfo().username;
    const given = await approvedChange(dir, report, { ids: chosen, by }, scratch, openBaseCache());
    return await runGiven(given, flags, given.inputs.testsDir);
  } finally {
    release();
    await removeTree(scratch);
  }
}

/** An answer is a person's word about evidence, so the evidence must hold and its signer must be known. */
function provenReport(dir: string, flags: Flags): Report {
  const found = verifyBundle(dir, { ...whoseSeals(flags.key), now: new Date() });
  const bad = found.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  if (found.verdict !== 'verified' || bad.length > 0)
    throw new SeatrialError(
      'blocked',
      `${dir} is ${found.verdict} and cannot be approved${bad.length === 0 ? '; trust its signer with --key' : `: ${bad.join('; ')}`}`,
    );
  const { report, fault } = readRun(dir);
  if (report === null) throw new SeatrialError('evidence', fault ?? `${dir} has no readable report`);
  return report;
}
