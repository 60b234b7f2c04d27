import { mkdtempSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { git } from '../../task/git/call.ts';
import { isUrl } from '../../task/git/clone.ts';
import { repositoryAround } from '../../task/repository-around.ts';
import { sandboxesDir } from './owned.ts';

/** The remote of a sandbox. */
export const SANDBOX_REMOTE = 'origin';

/** A throw-away clone of a repository at a commit, with a bare remote of its own; nothing in it leads back to the original. */
export async function makeSandbox(
  from: string,
  commit: string,
  stagesDir: string,
): Promise<{ readonly repo: string; readonly commit: string }> {
  if (isUrl(from))
    throw new SeatrialError('usage', 'a sandbox is made from a repository on this machine; clone it first');
  const source = repositoryAround(resolve(from)).root;
  const home = sandboxesDir(stagesDir);
  const dir = reportingWrite(home, () => {
    makeDirs(home);
    return mkdtempSync(join(home, `${basename(source)}-`));
  });
  const [remote, repo] = [join(dir, 'remote.git'), join(dir, basename(source))];
  try {
    const found = (await git(['-C', source, 'rev-parse', '--verify', `${commit}^{commit}`])).toString('utf8').trim();
    const call = { config: ['protocol.file.allow=always'], endsWithTerminal: true };
    await git(['clone', '--quiet', '--bare', '--no-local', '--', source, remote], call);
    await git(['clone', '--quiet', '--no-local', '--', remote, repo], call);
    await git(['-C', remote, 'remote', 'remove', 'origin']).catch(() => undefined);
    return { repo, commit: found };
  } catch (error) {
    await removeTree(dir);
    throw error;
  }
}

/** The directory of a sandbox that this repository is in; null: it is in none. */
function sandboxOf(repo: string, stagesDir: string): string | null {
  const [name] = relative(sandboxesDir(stagesDir), resolve(repo)).split('/');
  return name === undefined || name === '' || name === '..' ? null : join(sandboxesDir(stagesDir), name);
}

/** Throws away a sandbox. */
export async function discardSandbox(repo: string, stagesDir: string): Promise<string> {
  const dir = sandboxOf(repo, stagesDir);
  if (dir === null || dirname(dir) !== sandboxesDir(stagesDir))
    throw new SeatrialError('usage', `${repo} is not a sandbox of this project`);
  await removeTree(dir);
  return dir;
}
