import { HELP } from './help.ts';
import { simulateRun } from './run.ts';

const MARKS = ['mark-tested', 'mark-manual-tested', 'mark-reviewed'];

async function dispatch(argv: readonly string[]): Promise<number> {
  const [verb = ''] = argv;
  if (verb === '--help' || verb === '-h') {
    process.stdout.write(HELP);
    return 0;
  }
  if (MARKS.includes(verb)) {
    process.stderr.write('ERROR: No active task — .case/active is missing or empty. Run the orchestrator first.\n');
    return 1;
  }
  return simulateRun(verb === 'run' ? argv.slice(1) : argv);
}

// Background processes of an agent must not keep this process alive.
void dispatch(process.argv.slice(2)).then((code) => process.exit(code));
