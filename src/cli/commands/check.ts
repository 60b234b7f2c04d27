import { Command } from '@commander-js/extra-typings';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { checksJsonOption, handledBy, jobsOption, onlyOption, parseAndRun, runsToWriteOption } from '../options.ts';
import { print } from '../print.ts';
import { suiteLines } from '../print/check-lines.ts';
import { checkPlanned } from './plan/plan.ts';
import { CHECK_SUITES, runSuite, type SuiteFlags } from '../suites.ts';

interface Flags extends SuiteFlags {
  readonly json?: true | undefined;
}

export function checkCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('check')
    .description(
      [
        'Check an engine adapter by whole runs with a scripted model:',
        ...Array.from(
          CHECK_SUITES,
          ([name, { suite }]) =>
            `  ${name.padEnd(25)} ${suite.stage === null ? 'bridge' : `stage ${suite.stage}`}: ${suite.summary}`,
        ),
        `  ${'plans'.padEnd(25)} the planning documents in this directory, as \`seatrial plan check\` does`,
        'Needs no agent program and no model: a simulator of the program ships with Seatrial.',
        'A complete suite that passes is evidence for a stage or a bridge; --only is not.',
      ].join('\n'),
    )
    .argument('<suite>', [...CHECK_SUITES.keys(), 'plans'].join(', '))
    .argument('[provider]', 'of a bridge: `check auth-bridge openai-codex`')
    .option('--bin <program>', "program to check (default: the engine's own variable, or else the simulator)")
    .addOption(onlyOption('checks'))
    .addOption(jobsOption())
    .addOption(runsToWriteOption())
    .addOption(checksJsonOption());
  return parseAndRun(
    handledBy(command, ([suite, provider], options) =>
      suite === 'plans'
        ? checkPlanned('.', { json: options.json })
        : check(provider === undefined ? suite : `${suite}-${provider}`, options),
    ),
    args,
  );
}

async function check(name: string, flags: Flags): Promise<ExitCode> {
  const suite = CHECK_SUITES.get(name);
  if (suite === undefined)
    throw new SeatrialError(
      'usage',
      `unknown suite ${JSON.stringify(name)}; the suites are ${[...CHECK_SUITES.keys(), 'plans'].join(', ')}`,
    );
  const progress = flags.json === true ? () => {} : (text: string) => process.stdout.write(text);
  const result = await runSuite(suite, flags, progress);
  const { ok, checks, program, earned, targets } = result;
  print(flags.json, { ok, checks, program, earned, targets }, () => [suiteLines(name, result).trimEnd()]);
  return ok ? EXIT.pass : EXIT.fail;
}
