import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { SeatrialError } from '../kernel/errors.ts';
import manifest from '../../package.json' with { type: 'json' };

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly run: (args: readonly string[]) => Promise<ExitCode> }>;
}

/** Every command, each loaded only when it is called: `--help` costs no more than this table. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  run: {
    summary: 'prove one task: run an engine in a confined copy and judge its patch',
    load: () => import('./run.ts'),
  },
  apply: { summary: 'bring the proven patch of a run home to its repository', load: () => import('./apply.ts') },
  verify: {
    summary: 'check evidence bundles offline, and with --rerun judge them again',
    load: () => import('./verify.ts'),
  },
  init: { summary: 'look at a repository and write down how it is tested', load: () => import('./init.ts') },
  runs: { summary: 'list, show, open, recover and prune runs', load: () => import('./runs.ts') },
  matrix: { summary: 'run every way to fail, and show that each is caught', load: () => import('./matrix.ts') },
  check: {
    summary: 'show that an adapter does what it must, without Case and without a model',
    load: () => import('./check.ts'),
  },
  health: { summary: 'every check and the failure matrix', load: () => import('./health.ts') },
  loop: {
    summary: 'the standard way to a real run of a candidate: case-qwen',
    load: () => import('./loop.ts'),
  },
  judge: { summary: 'judge a commit of a repository by its tests', load: () => import('./judge.ts') },
  task: { summary: 'list tasks, and check that a task proves what it should', load: () => import('./task.ts') },
  engines: {
    summary: 'which engines may run now, and what is in the way of the others',
    load: () => import('./engines.ts'),
  },
  admit: {
    summary: 'write down a source, an executable or a model that may take part',
    load: () => import('./admit.ts'),
  },
  admissions: { summary: 'what was admitted, and which records cannot be read', load: () => import('./admissions.ts') },
  key: { summary: 'show the key that seals bundles on this machine', load: () => import('./key.ts') },
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
3 evidence could not be kept, 64 wrong usage or unreadable input.

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
  return (await entry.load()).run(rest);
}

/** A person's mistake is one sentence; anything else is ours, and says where it happened. */
async function explain(error: unknown): Promise<ExitCode> {
  const { withoutSecrets } = await import('./caller-secrets.ts');
  if (error instanceof SeatrialError) {
    process.stderr.write(`seatrial: ${withoutSecrets(error.message)}\n`);
    return error.exitCode;
  }
  const where = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`seatrial: internal error, please report it: ${withoutSecrets(where)}\n`);
  return EXIT.blocked;
}

// A reader that has seen enough (`seatrial runs | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.pass);
});

void main(process.argv.slice(2))
  .catch(explain)
  .then((code) => {
    process.exitCode = code;
  });
