import { Command } from '@commander-js/extra-typings';
import { resolve } from 'node:path';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { readComparisonPlan } from '../../../evidence/comparison/store.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { LADDER } from '../../../stages/ladder.ts';
import { tallyOf } from '../../../stages/decide.ts';
import { listAsOwned } from '../../../stages/routes/owned.ts';
import { discardSandbox } from '../../../stages/routes/sandbox.ts';
import { repositoryAround } from '../../../task/repository-around.ts';
import { readSettings } from '../../environment/settings.ts';
import { withRepositoryOptions } from '../../flags/repository-options.ts';
import { handledBy, jsonOption, parseAndRun, wholeNumber } from '../../options.ts';
import { print } from '../../print.ts';
import { declareBatch } from './declare.ts';
import { demote, promote, type Promotion } from './decide-stage.ts';
import { earnAgain } from './earn.ts';
import { ladderLines, missingLines, stageLines, subjectText, tallyText } from './lines.ts';
import { openStagesNow, signingWith, signOption, stageToEarn, toOption } from './place.ts';
import { findBatch, runBatch } from './run-batch.ts';
import { describeStages } from './show.ts';

const modelOption = '--model <provider/model>';
const MODEL_TEXT = 'model that the engine asks (default: the one that the settings or its variables name)';

export function stageCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('stage').description(
    'Show what each engine has earned, what is missing for the next stage, and the evidence; declare batches of runs, and grant or take back stages. Without a subcommand it only shows, and writes nothing.',
  );
  const show = command
    .command('show', { isDefault: true })
    .description('Show where each engine stands. Verifies the evidence again; writes nothing.')
    .addOption(jsonOption());
  handledBy(show, (_args, { json }) => showStages(json));
  const ladder = command
    .command('ladder')
    .description('Print the six stages and what each demands.')
    .addOption(jsonOption());
  handledBy(ladder, (_args, { json }) => {
    print(json, LADDER, () => ladderLines(LADDER));
    return EXIT.pass;
  });
  addDeclare(command);
  addRun(command);
  addDecisions(command);
  const own = command
    .command('own')
    .description('List a repository as owned and noncritical, so that stages 5 and 6 may deliver branches to it.')
    .argument('<repository>', 'a git repository on this machine');
  handledBy(own, ([repository]) => {
    const { root } = repositoryAround(resolve(repository));
    process.stdout.write(`${safeLine(`listed ${root} in ${listAsOwned(root, process.env)}`)}\n`);
    return EXIT.pass;
  });
  return parseAndRun(command, args);
}

function showStages(json: true | undefined): ExitCode {
  const settings = readSettings(process.cwd());
  const { place, opened } = openStagesNow(settings);
  const described = describeStages(settings, place, opened);
  print(json, described, () => stageLines(described));
  return opened.faults.length === 0 ? EXIT.pass : EXIT.fail;
}

function addDeclare(command: Command): void {
  const declare = withRepositoryOptions(
    command
      .command('declare')
      .description('Declare the runs that are to show a stage, before the first of them. Runs nothing.')
      .argument('<engine>', 'engine that is to earn the stage')
      .addOption(toOption())
      .option('--tasks <names>', 'at stage 2: names of built-in tasks and task directories, with commas between them'),
  )
    .option('--solution <dir>', 'with --repo: directory with solve.sh, the known solution for the fake engine')
    .option('--repeat <n>', 'runs of each task (default: what the stage needs)', wholeNumber('--repeat', 1))
    .option(
      '--timeout <seconds>',
      "time limit of the engine in each run (default: the task's)",
      wholeNumber('--timeout', 1),
    )
    .option(modelOption, MODEL_TEXT)
    .addOption(signOption())
    .addOption(jsonOption());
  handledBy(declare, async ([engine], { to, signWith, solution, ...flags }) => {
    const settings = readSettings(process.cwd());
    const asked = { ...flags, ...(solution === undefined ? {} : { solution: resolve(solution) }) };
    const batch = await declareBatch(engine, stageToEarn(to), asked, settings, signingWith(signWith));
    print(flags.json, batch, () =>
      [
        `declared ${batch.id}: ${batch.runs} runs for stage ${batch.stage} of ${subjectText(batch.subject)}`,
        ...batch.absent.map(({ engine: name, why }) => `absent: ${name}: ${why}`),
        `next: seatrial stage run ${batch.id}`,
      ].map(safeLine),
    );
    return EXIT.pass;
  });
}

function addRun(command: Command): void {
  const run = command
    .command('run')
    .description('Run what is left of a declared batch, and deliver its changes where the stage says so.')
    .argument('[batch]', 'id of the batch, or a beginning of it (default: the newest)')
    .option('--jobs <n>', 'number of runs at the same time', wholeNumber('--jobs', 1), 1)
    .option('--approvals <file>', 'approval policy: `allow = "deliver seatrial/*"` lets stage 5 deliver branches')
    .addOption(jsonOption());
  handledBy(run, async ([wanted], flags) => {
    const settings = readSettings(process.cwd());
    const { batch, runs, open, undelivered } = await runBatch(findBatch(settings, wanted), settings, flags);
    print(flags.json, { batch: batch.id, runs, open, undelivered }, () =>
      [
        `${batch.id}: ${tallyText(tallyOf(runs))}${open === 0 ? '' : `, ${open} to go`}`,
        ...runs.flatMap(({ run_id: id, outcome, why }) =>
          why === null ? [] : [`  ${outcome.replace('_', ' ')}: ${id}: ${why}`],
        ),
        ...undelivered.map(({ run: id, why }) => `  not delivered: ${id}: ${why}`),
        `next: seatrial stage promote ${batch.subject.engine} --to ${batch.stage} --sign-with <key>`,
      ].map(safeLine),
    );
    return open === 0 && undelivered.length === 0 ? EXIT.pass : EXIT.blocked;
  });
  const discard = command
    .command('discard')
    .description('Remove the sandbox of a batch of stage 4. Its runs and records stay.')
    .argument('<batch>', 'id of the batch, or a beginning of it');
  handledBy(discard, async ([wanted]) => {
    const settings = readSettings(process.cwd());
    const batch = findBatch(settings, wanted);
    const { plan } = readComparisonPlan(resolve(settings.runs, batch.comparison_id));
    const source = plan.tasks[0]?.source;
    if (batch.sandbox_of === null || source?.kind !== 'repository')
      throw new SeatrialError('usage', `${batch.id} has no sandbox`);
    process.stdout.write(`${safeLine(`removed ${await discardSandbox(source.repo, settings.stages)}`)}\n`);
    return EXIT.pass;
  });
}

function addDecisions(command: Command): void {
  const up = command
    .command('promote')
    .description('Grant a stage. Refused while its evidence is missing; signed by a person, never by Seatrial.')
    .argument('<engine>', 'engine, with its program and model of now')
    .addOption(toOption())
    .option(modelOption, MODEL_TEXT)
    .addOption(signOption())
    .addOption(jsonOption());
  handledBy(up, async ([engine], { to, signWith, model, json }) => {
    const settings = readSettings(process.cwd());
    return printed([await promote(engine, stageToEarn(to), settings, signingWith(signWith), model)], to, json);
  });
  const down = command
    .command('demote')
    .description('Take stages back. Batches declared so far no longer count.')
    .argument('<engine>', 'engine, with its program and model of now')
    .addOption(toOption('stage that it keeps, 1 to 5'))
    .requiredOption('--reason <text>', 'why')
    .option(modelOption, MODEL_TEXT)
    .addOption(signOption())
    .addOption(jsonOption());
  handledBy(down, async ([engine], { to, signWith, reason, model, json }) => {
    const settings = readSettings(process.cwd());
    const decision = await demote(engine, to, reason, settings, signingWith(signWith), model);
    print(json, decision, () => [
      safeLine(`${subjectText(decision.subject)} is at stage ${decision.stage}: ${reason}`),
    ]);
    return EXIT.pass;
  });
  const earn = command
    .command('earn')
    .description(
      'Go up to a stage again after the program or the model changed: repeats the batches that were declared before, and grants each stage whose evidence is there.',
    )
    .argument('<engine>', 'engine, with its program and model of now')
    .addOption(toOption())
    .option('--jobs <n>', 'number of runs at the same time', wholeNumber('--jobs', 1), 1)
    .option('--approvals <file>', 'approval policy for deliveries')
    .option(modelOption, MODEL_TEXT)
    .addOption(signOption())
    .addOption(jsonOption());
  handledBy(earn, async ([engine], { to, signWith, ...flags }) => {
    const settings = readSettings(process.cwd());
    const promotions = await earnAgain(engine, stageToEarn(to), settings, signingWith(signWith), flags);
    if (promotions.length === 0 && flags.json === undefined)
      process.stdout.write(`${safeLine(`${engine} has stage ${to} already`)}\n`);
    return printed(promotions, to, flags.json);
  });
}

function printed(promotions: readonly Promotion[], to: number, json: true | undefined): ExitCode {
  print(json, promotions, () =>
    promotions.flatMap((one) =>
      one.granted
        ? [
            safeLine(
              `granted: ${subjectText(one.decision.subject)} has stage ${one.decision.stage} (${tallyText(one.ruling.tally)})`,
            ),
            safeLine(`  statement for other tools: ${one.statement}`),
          ]
        : [
            `stage ${to} is not granted (${tallyText(one.ruling.tally)})`,
            ...missingLines(one.ruling.missing).map(safeLine),
          ],
    ),
  );
  return promotions.every(({ granted }) => granted) ? EXIT.pass : EXIT.blocked;
}
