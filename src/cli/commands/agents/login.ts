import { Command } from '@commander-js/extra-typings';
import { named } from '../../../agents/lifecycle/down.ts';
import { prepareSignIn } from '../../../agents/panes/prepare.ts';
import { isSignedIn } from '../../../agents/panes/sign-in.ts';
import { spawnCommand } from '../../../confine/processes/spawn.ts';
import { PANES } from '../../../engines/pane/list.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';

export function loginCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('login')
    .description(
      "Sign in the program of an agent, in that agent's own configuration: opens the program's own dialog in this terminal. No credential is copied.",
    )
    .argument('<agent>', 'agent to sign in')
    .addOption(projectOption());
  return parseAndRun(
    handledBy(command, ([name], { project: dir }) =>
      withOperation(dir, async (operation) => {
        const { project } = operation;
        const agent = named(operation)(name);
        const signIn = agent.backend === null ? null : (PANES.get(agent.backend)?.signIn ?? null);
        if (signIn === null)
          throw new SeatrialError('usage', `${name} needs no sign-in: it is a ${agent.backend ?? 'service'}`);
        if (!process.stdin.isTTY)
          throw new SeatrialError('usage', `login needs a terminal; run \`seatrial login ${name}\` in one`);
        const { argv, env } = await prepareSignIn(project, agent, signIn.command);
        await runHere(argv, env);
        const done = isSignedIn(project, agent);
        print(undefined, null, () => [
          done ? `${name} is signed in` : `${name} is not signed in; try again with \`seatrial login ${name}\``,
        ]);
        return done ? EXIT.pass : EXIT.blocked;
      }),
    ),
    args,
  );
}

/** In this terminal. What is typed, Ctrl-C too, is the program's. */
async function runHere([file = '', ...rest]: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    const child = spawnCommand({ file, args: rest, env, cwd: '/', stdio: 'inherit', identity: null });
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
