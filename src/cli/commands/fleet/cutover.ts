import { realpathSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { cutoverStatus, planLines, statusText } from '../../../fleet/cutover/describe.ts';
import { type ProgressChoice, rollBackCutover, runCutover } from '../../../fleet/cutover/execute.ts';
import { planCutover } from '../../../fleet/cutover/plan.ts';
import { rehearseCutover } from '../../../fleet/cutover/rehearse.ts';
import type { CutoverPlan } from '../../../fleet/cutover/schema.ts';
import { readCutoverPlan } from '../../../fleet/cutover/store.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';

const surroundings = { env: process.env, clock: systemClock };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function cutoverCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('cutover').description('Replace the live project with a staged one, and back.');
  handledBy(
    command
      .command('plan')
      .description('Find out what has to change, and write it as a runbook. Touches nothing of the live project.')
      .argument('<live>', 'directory of the live project')
      .argument('<staged>', 'directory of the staged project')
      .requiredOption('--unit <file>', 'systemd unit that starts the live project')
      .option('--shim <file>', 'script of its chain that starts the agents, if it cannot be found out')
      .option('--stop <command>', 'command that stops the live project, if it is not its own `down`')
      .option('--unequal', 'plan it although the staged project differs from the live one')
      .addOption(jsonOption()),
    async ([live, staged], { unit, shim, stop, unequal, json }) => {
      const request = { live, staged, unit, shim, stop, unequal: unequal === true };
      const plan = await planCutover(request, surroundings);
      print(json, plan, () => [...planLines(plan), `next: seatrial cutover rehearse ${staged}`]);
      return EXIT.pass;
    },
  );
  handledBy(
    staged(
      command
        .command('rehearse')
        .description('Do the whole cutover and the way back on copies, with agents of the demo engine.'),
    ),
    async ([dir]) => {
      await rehearseCutover(planOf(dir), surroundings, say);
      say(`rehearsed: forward and back work\nnext: seatrial cutover run ${dir}`);
      return EXIT.pass;
    },
  );
  handledBy(
    staged(
      command
        .command('run')
        .description(
          'Run the cutover: hold, stop, keep, change, start; never two watchdogs. Resumes if it was killed.',
        ),
    ),
    async ([dir]) => {
      const plan = planOf(dir);
      if (cutoverStatus(plan).standing.finished) say('it is cut over already');
      await runCutover(plan, surroundings, say);
      say(`cut over to ${plan.staged}\nback: seatrial cutover rollback ${dir}`);
      return EXIT.pass;
    },
  );
  handledBy(
    staged(
      command.command('status').description('Show where a cutover stands, and how to go on or back. Writes nothing.'),
    ).addOption(jsonOption()),
    ([dir], { json }) => {
      const plan = planOf(dir);
      const status = cutoverStatus(plan);
      print(json, { plan, ...status }, () => statusText(plan, status));
      return status.watchdogs.length > 1 ? EXIT.fail : EXIT.pass;
    },
  );
  handledBy(
    staged(
      command
        .command('rollback')
        .description('Put the live project back: shim, configuration and state byte for byte.'),
    )
      .option('--keep-progress', 'keep the state although its phase moved on')
      .option('--discard-progress', 'archive the state although its phase moved on, and put the old one back'),
    async ([dir], { keepProgress, discardProgress }) => {
      if (keepProgress === true && discardProgress === true)
        throw new SeatrialError('usage', 'give --keep-progress or --discard-progress, not both');
      const progress: ProgressChoice = keepProgress === true ? 'keep' : discardProgress === true ? 'discard' : null;
      const plan = planOf(dir);
      await rollBackCutover(plan, progress, surroundings, say);
      say(`${plan.live} is live again`);
      return EXIT.pass;
    },
  );
  return parseAndRun(command, args);
}

const staged = (command: Command): Command<[string]> => command.argument('<staged>', 'directory of the staged project');

function planOf(dir: string): CutoverPlan {
  let real: string;
  try {
    real = realpathSync(dir);
  } catch (error) {
    throw new SeatrialError('usage', `there is no directory ${dir}`, error);
  }
  const plan = readCutoverPlan(real);
  if (plan !== null) return plan;
  throw new SeatrialError(
    'usage',
    `no cutover of ${dir} is planned; plan it with \`seatrial cutover plan <live> ${dir} --unit <file>\``,
  );
}
