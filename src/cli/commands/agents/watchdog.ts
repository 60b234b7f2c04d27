import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { loadProject } from '../../../agents/config/load.ts';
import type { Project } from '../../../agents/config/project.ts';
import { openLastingHost } from '../../../agents/host/open.ts';
import { logsDir } from '../../../agents/protocol/paths.ts';
import { FencedOut } from '../../../agents/watchdog/act.ts';
import { runWatchdog } from '../../../agents/watchdog/run.ts';
import { makeDirs } from '../../../evidence/storage/durable.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function watchdogCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('watchdog')
    .description(
      'Keep the agents of a project working, in the foreground. `seatrial up` starts it in a session of its own.',
    )
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, (_args, { project: dir }) =>
      withOperation(dir, async ({ project, clock, lockPath, fenceName }) => {
        const host = openLastingHost(project, process.env);
        const ending = new AbortController();
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
        try {
          await runWatchdog({
            project,
            host,
            clock,
            lockPath,
            fenceName,
            spawn: randomUUID(),
            signal: ending.signal,
            log: (line) => logLine(project, `${clock.now().toISOString()} ${line}\n`),
            reload: reloadChanged(project),
          });
        } catch (error) {
          if (error instanceof FencedOut) throw new SeatrialError('blocked', error.message, error);
          throw error;
        } finally {
          await host.close();
        }
        return EXIT.pass;
      }),
    ),
    args,
  );
}

/** Opened for each line, so that rotation never finds it open. A full disk must not end the watchdog. */
function logLine(project: Project, line: string): void {
  process.stdout.write(line);
  try {
    makeDirs(logsDir(project));
    appendFileSync(join(logsDir(project), 'watchdog.log'), line);
  } catch {
    // The journal has what matters.
  }
}

/** Reads the file again when it has changed. One that is being edited must not end the watchdog. */
function reloadChanged(project: Project): () => Project | null {
  const changedAt = (): number | undefined => statSync(project.file, { throwIfNoEntry: false })?.mtimeMs;
  let seen = changedAt();
  return () => {
    const now = changedAt();
    if (now === seen) return null;
    try {
      const loaded = loadProject(project.dir);
      seen = now;
      return loaded;
    } catch (error) {
      if (error instanceof SeatrialError) return null;
      throw error;
    }
  };
}
