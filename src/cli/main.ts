import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { SeatrialError } from '../kernel/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { COMMANDS, HELP } from './commands.ts';

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    process.stdout.write(HELP);
    return name === undefined ? EXIT.usage : EXIT.pass;
  }
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${manifest.version}\n`);
    return EXIT.pass;
  }
  if (name === 'help') return callCommand(rest[0] ?? '', [...rest.slice(1), '--help']);
  return callCommand(name, rest);
}

async function callCommand(name: string, args: readonly string[]): Promise<ExitCode> {
  const entry = COMMANDS.get(name);
  if (entry === undefined)
    throw new SeatrialError(
      'usage',
      `unknown command ${JSON.stringify(name)}; the commands are ${[...COMMANDS.keys()].join(', ')}`,
    );
  const command = await entry.load();
  return command(args);
}

/** A user's mistake is one sentence; anything else is a bug of ours and comes with its stack. */
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

// A reader that has seen enough (`seatrial runs | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.pass);
});

void main(process.argv.slice(2))
  .catch(explain)
  .then((code) => {
    process.exitCode = code;
  });
