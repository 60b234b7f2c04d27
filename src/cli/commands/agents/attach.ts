import { Command } from '@commander-js/extra-typings';
import { WATCHDOG, watchdogSession } from '../../../agents/config/project.ts';
import { projectSocket } from '../../../agents/host/open.ts';
import { named } from '../../../agents/lifecycle/down.ts';
import { sessionsOf } from '../../../agents/lifecycle/operate.ts';
import { spawnCommand } from '../../../confine/processes/spawn.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function attachCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('attach')
    .description(
      'Show the session of an agent in this terminal. Leave it with Ctrl-b d; while you type there, the watchdog does nothing.',
    )
    .argument('<agent>', 'agent, or watchdog')
    .option('--read-only', 'look, but do not type')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, ([name], { project: dir, readOnly }) =>
      withOperation(dir, async (operation) => {
        const { project, env } = operation;
        const session = name === WATCHDOG ? watchdogSession(project) : named(operation)(name).session;
        if (!(await sessionsOf(operation)).has(session))
          throw new SeatrialError('blocked', `${name} has no session; start it with \`seatrial up\``);
        if (!process.stdin.isTTY)
          throw new SeatrialError('usage', 'attach needs a terminal; to read the screen, use `seatrial logs <agent>`');
        const child = spawnCommand({
          file: 'tmux',
          args: [
            '-S',
            projectSocket(project, env),
            'attach-session',
            ...(readOnly === true ? ['-r'] : []),
            '-t',
            `=${session}`,
          ],
          env: Object.fromEntries(
            Object.entries(env).flatMap(([key, value]) =>
              value === undefined || key === 'TMUX' ? [] : [[key, value]],
            ),
          ),
          cwd: '/',
          stdio: 'inherit',
          identity: null,
        });
        const code = await new Promise<number | null>((resolve) => {
          child.once('error', () => resolve(null));
          child.once('close', resolve);
        });
        return code === 0 ? EXIT.pass : EXIT.blocked;
      }),
    ),
    args,
  );
}
