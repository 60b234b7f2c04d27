import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { changedFiles, commitOf } from './pinned.ts';
import { userDir } from '../../kernel/user-dirs.ts';

/**
 * Keeps the built program of the Seatrial that runs now, so that a project that pins the same commit starts without network. Only what was built
 * from exactly that commit is kept. scripts/setup.sh reads it.
 */
export async function keepBuiltProgram(commit: string, env: NodeJS.ProcessEnv): Promise<void> {
  const root = packageRoot();
  const target = join(cacheDir(env), commit);
  if (existsSync(target) || (await commitOf(root, 'HEAD', env)) !== commit) return;
  if ((await changedFiles(root, env)).length > 0 || !isBuilt(root)) return;
  const draft = `${target}.${process.pid}.tmp`;
  makeDirs(draft, 0o700);
  try {
    cpSync(join(root, 'dist'), join(draft, 'dist'), { recursive: true });
    renameSync(draft, target);
  } catch {
    // Without it the pinned one is built from its lockfile.
    rmSync(draft, { recursive: true, force: true });
  }
}

const cacheDir = (env: NodeJS.ProcessEnv): string =>
  join(userDir('cache', env) ?? '/nonexistent', 'seatrial', 'engines');

/** The bundle is not older than any source. */
function isBuilt(root: string): boolean {
  const built = statSync(join(root, 'dist', 'seatrial.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).every(
    (name) => statSync(join(root, 'src', name)).mtimeMs <= built,
  );
}
