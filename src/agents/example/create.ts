import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { git } from '../../task/git/call.ts';
import { agentsToml, EXAMPLE_PLANS, EXAMPLE_PROMPTS, EXAMPLE_REPOSITORY } from './files.ts';

/**
 * Makes a project directory: a git repository with an agents.toml. Refuses a directory that holds anything. `complete` may add to it before
 * everything is committed.
 */
export async function createProject(
  dir: string,
  example: boolean,
  complete: (dir: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new SeatrialError('usage', `${dir} is not empty; choose another directory`);
  const files = {
    '.gitignore': example ? '/.ao-state/\n/repo/\n' : '/.ao-state/\n',
    'agents.toml': agentsToml(`${prefixOf(dir)}-`, example),
    ...(example ? { ...EXAMPLE_PLANS, ...EXAMPLE_PROMPTS } : {}),
  };
  writeFiles(dir, files);
  await initRepository(dir);
  await complete(dir);
  await commitAll(dir, 'New project');
  if (example) await makeRepository(join(dir, 'repo'), EXAMPLE_REPOSITORY, 'Start');
}

async function makeRepository(dir: string, files: Readonly<Record<string, string>>, message: string): Promise<void> {
  writeFiles(dir, files);
  await initRepository(dir);
  await commitAll(dir, message);
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

/** Works without any git configuration, as does `commitAll`. */
export async function initRepository(dir: string): Promise<void> {
  await git(['init', '--quiet', '--initial-branch=main', dir]);
}

export async function commitAll(dir: string, message: string): Promise<void> {
  const here = { gitDir: join(dir, '.git'), workTree: dir, cwd: dir };
  await git(['add', '--all'], here);
  await git(['commit', '--quiet', '--message', message], here);
}

/** Part of session names. */
function prefixOf(dir: string): string {
  const plain = basename(dir).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return plain === '' ? 'project' : plain;
}
