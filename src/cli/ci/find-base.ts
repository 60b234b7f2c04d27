import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { GitFault, gitInPlace } from '../../task/git/call.ts';
import type { BaseHint } from './event.ts';

/** The commit that the change is judged against, from what the event says. Throws with the next step if there is none. */
export async function findBase(repo: string, commit: string, hint: BaseHint): Promise<string> {
  if (hint.kind === 'unknown')
    throw new SeatrialError('usage', `no base commit: ${hint.why}; give --base <commit before the change>`);
  const ask = async (...args: string[]): Promise<string> => {
    try {
      return (await gitInPlace(args, { cwd: repo, caller: process.env })).toString('utf8').trim();
    } catch (error) {
      if (error instanceof GitFault && (error.gitExitCode === 1 || error.gitExitCode === 128)) return '';
      throw error;
    }
  };
  const judged = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`);
  if (judged === '') throw new SeatrialError('usage', `there is no commit ${commit} in ${repo}`);
  if (hint.kind === 'test merge') {
    const [, first, second, third] = (await ask('rev-list', '--parents', '-n', '1', judged)).split(' ');
    if (first !== undefined && second === hint.head && third === undefined) return first;
  }
  const base = await ask('merge-base', '--end-of-options', hint.of, judged).catch(explain(repo));
  if (base === '')
    throw new SeatrialError(
      'blocked',
      `${hint.from} names ${hint.of} as the commit before the change, and this clone has no common ancestor with it; fetch the whole history first (\`fetch-depth: 0\` of actions/checkout, GIT_DEPTH=0 of GitLab)`,
    );
  if (base === judged)
    throw new SeatrialError('blocked', `commit ${judged.slice(0, 12)} is its own base: there is no change to judge`);
  return base;
}

function explain(repo: string): (error: unknown) => never {
  return (error) => {
    throw new SeatrialError('blocked', `${repo} cannot be read: ${messageOf(error)}`, error);
  };
}
