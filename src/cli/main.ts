import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { SeatrialError } from '../kernel/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { exitCodeAfter, guardOutput, type Printed, readerWentAway } from './output.ts';

interface Entry {
  readonly summary: string;
  /** Its exit code is a verdict, and what it prints without --json only says more about it. */
  readonly decides?: true;
  readonly load: () => Promise<(args: readonly string[]) => Promise<ExitCode>>;
}

/** Every command, each loaded only when it is called: `--help` costs no more than this table. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  run: {
    decides: true,
    summary: 'prove one task: run an engine in a confined copy and judge its patch',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  apply: {
    decides: true,
    summary: 'bring the proven patch of a run home to its repository',
    load: async () => (await import('./commands/apply.ts')).applyCommand,
  },
  verify: {
    decides: true,
    summary: 'check evidence bundles offline, and with --rerun judge them again',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  init: {
    summary: 'look at a repository and write down how it is tested',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  runs: {
    summary: 'list, show, open, recover and prune runs',
    load: async () => (await import('./commands/runs.ts')).runsCommand,
  },
  matrix: {
    decides: true,
    summary: 'run every way to fail, and show that each is caught',
    load: async () => (await import('./commands/matrix.ts')).matrixCommand,
  },
  check: {
    decides: true,
    summary: 'show that an adapter does what it must, without Case and without a model',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  health: {
    decides: true,
    summary: 'every check and the failure matrix',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  loop: {
    decides: true,
    summary: 'the standard way to a real run of a candidate: case-qwen',
    load: async () => (await import('./commands/loop.ts')).loopCommand,
  },
  judge: {
    decides: true,
    summary: 'judge a commit of a repository by its tests',
    load: async () => (await import('./commands/judge.ts')).judgeCommand,
  },
  task: {
    summary: 'list tasks, and check that a task proves what it should',
    load: async () => (await import('./commands/task.ts')).taskCommand,
  },
  engines: {
    summary: 'which engines may run now, and what is in the way of the others',
    load: async () => (await import('./commands/engines.ts')).enginesCommand,
  },
  admit: {
    summary: 'write down a source, an executable or a model that may take part',
    load: async () => (await import('./commands/admit.ts')).admitCommand,
  },
  admissions: {
    summary: 'what was admitted, and which records cannot be read',
    load: async () => (await import('./commands/admissions.ts')).admissionsCommand,
  },
  key: {
    summary: 'show the key that seals bundles on this machine',
    load: async () => (await import('./commands/key.ts')).keyCommand,
  },
};

const HELP = `Seatrial runs coding agents unattended and keeps only what they can prove.

Usage: seatrial <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

  seatrial <command> --help   what a command takes
  seatrial --version

Exit codes: 0 pass, 1 fail (it ran and did not prove it), 2 blocked (no verdict was possible),
3 evidence could not be kept, 64 wrong usage or unreadable input, 74 the result could not be printed.

Try: seatrial run r1-string-slugify
`;

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(HELP);
    return name === undefined ? EXIT.usage : EXIT.pass;
  }
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${manifest.version}\n`);
    return EXIT.pass;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    throw new SeatrialError(
      'usage',
      `unknown command ${JSON.stringify(name)}: there are ${Object.keys(COMMANDS).join(', ')}`,
    );
  }
  const command = await entry.load();
  return command(rest);
}

/** A person's mistake is one sentence; anything else is ours, and says where it happened. */
async function explain(error: unknown): Promise<ExitCode> {
  const { withoutSecrets } = await import('./environment/caller-secrets.ts');
  if (error instanceof SeatrialError) {
    process.stderr.write(`seatrial: ${withoutSecrets(error.message)}\n`);
    return error.exitCode;
  }
  const where = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`seatrial: internal error, please report it: ${withoutSecrets(where)}\n`);
  return EXIT.blocked;
}

function printedBy([name = '', ...rest]: readonly string[]): Printed {
  const decides = Object.hasOwn(COMMANDS, name) && COMMANDS[name]?.decides === true;
  return decides && !rest.some((argument) => ASKS_FOR_OUTPUT.has(argument)) ? 'account' : 'result';
}

const ASKS_FOR_OUTPUT: ReadonlySet<string> = new Set(['--json', '--help', '-h']);

async function endWith(error: unknown): Promise<never> {
  process.exit(await explain(error));
}

/** The one place where an exit code is set, after all output has been written or lost. */
async function call(argv: readonly string[]): Promise<void> {
  const output = guardOutput();
  const code = await main(argv).catch(explain);
  const lost = await output.settled();
  if (lost !== null && !readerWentAway(lost))
    process.stderr.write(`seatrial: standard output could not be written: ${lost.message}\n`);
  process.exitCode = exitCodeAfter(code, lost, printedBy(argv));
}

// Node's own exit code for a bug is 1, which here says that a run failed.
process.on('uncaughtException', (error) => void endWith(error));

void call(process.argv.slice(2));
