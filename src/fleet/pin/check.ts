import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { changedFiles, commitOf, ENGINE_DIR, pinnedCommit } from './pinned.ts';

/** Throws if a project is pinned to another Seatrial than the one that runs now. Writes nothing. */
export async function requirePinned(dir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const pin = await pinnedCommit(dir, env);
  if (pin === null) return;
  const engine = join(dir, ENGINE_DIR);
  const root = realpathSync(packageRoot());
  const running = await commitOf(root, 'HEAD', env);
  const short = pin.slice(0, 12);
  if (existsSync(engine) && realpathSync(engine) === root) {
    if (running !== pin)
      throw new SeatrialError(
        'blocked',
        `nothing was started: engine/ is at ${running?.slice(0, 12) ?? 'no commit'}, but ${dir} pins ${short}; go back with \`git submodule update engine\`, or pin what is there with \`git add engine && git commit\``,
      );
    const changed = await changedFiles(root, env);
    if (changed.length > 0)
      throw new SeatrialError(
        'blocked',
        `nothing was started: engine/ is not what ${dir} pins, ${changed[0]} was changed; take the changes back with \`git -C engine checkout .\`, or commit and pin them`,
      );
    return;
  }
  if (running === pin) return;
  const own = running === null ? 'a package' : `at ${running.slice(0, 12)}`;
  throw new SeatrialError(
    'blocked',
    `nothing was started: ${dir} pins Seatrial ${short}, and this one is ${own}; call ${join(engine, 'seatrial')} instead${existsSync(join(engine, 'seatrial')) ? '' : ' after `git submodule update --init`'}, or pin another with \`git -C engine checkout <commit> && git add engine\``,
  );
}
