import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../../kernel/errors.ts';
import { RUN_HELP } from './help.ts';
import { layPiFiles } from './agent/pi.ts';
import { runPipeline } from './pipeline/pipeline.ts';
import { logLine } from './say.ts';
import { findProject, modelOf } from './settings.ts';
import { readSimulatedTask } from './task-file.ts';

const MODES = ['attended', 'unattended'];

/** `ca run`, also used for any unknown command. The exit code does not depend on the outcome of the task. */
export async function simulateRun(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(RUN_HELP);
    return 0;
  }
  const { values } = parseArgs({
    args: [...argv],
    options: {
      task: { type: 'string', short: 't' },
      mode: { type: 'string', short: 'm' },
      model: { type: 'string' },
    },
    allowPositionals: true,
    strict: false,
  });
  const { task, mode, model } = values;
  if (typeof task !== 'string') return refuseIssueFlow();
  if (!existsSync(task)) return refuse(`task file not found: ${task}`);
  if (typeof mode === 'string' && !MODES.includes(mode)) return refuse('--mode must be "attended" or "unattended"');
  try {
    layPiFiles();
    const taskPath = resolve(task);
    const asked = readSimulatedTask(taskPath);
    const project = findProject(asked.repo);
    // Case assumes this provider for any model on the command line.
    const forced = typeof model === 'string' ? { provider: 'anthropic', model } : null;
    await runPipeline({
      taskPath,
      mode: typeof mode === 'string' ? mode : (asked.mode ?? 'attended'),
      project,
      modelOf: (agent) => forced ?? modelOf(agent),
    });
    return 0;
  } catch (error) {
    logLine('error', 'pipeline crashed', { error: messageOf(error) });
    process.stderr.write(`Fatal: ${messageOf(error)}\n`);
    return 1;
  }
}

function refuse(fault: string): number {
  process.stderr.write(`Error: ${fault}\n`);
  return 1;
}

/** Case would look for an issue or a task to resume, and work on it. */
function refuseIssueFlow(): number {
  process.stdout.write('Detecting repo...\n');
  process.stderr.write(
    "Fatal: this is Seatrial's simulator of Case, which does not work on issues: pass --task <file>\n",
  );
  return 1;
}
