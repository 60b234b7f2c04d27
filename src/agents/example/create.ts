import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { git } from '../../task/git/call.ts';
import { agentsToml, EXAMPLE_PLANS, EXAMPLE_PROMPTS, EXAMPLE_REPOSITORY } from './files.ts';

/** Makes a project directory: a git repository with an agents.toml. Refuses a directory that holds anything. */
export async function createProject(dir: string, example: boolean): Promise<void> {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new SeatrialError('usage', `${dir} is not empty; choose another directory`);
  const files = {
    '.gitignore': example ? '/.ao-state/\n/repo/\n' : '/.ao-state/\n',
    'agents.toml': agentsToml(`${prefixOf(dir)}-`, example),
    ...(example ? { ...EXAMPLE_PLANS, ...EXAMPLE_PROMPTS } : {}),
  };
  await makeRepository(dir, files, 'New project');
  if (example) await makeRepository(join(dir, 'repo'), EXAMPLE_REPOSITORY, 'Start');
}

/** Works without any git configuration. */
async function makeRepository(dir: string, files: Readonly<Record<string, string>>, message: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  await git(['init', '--quiet', '--initial-branch=main', dir]);
  const here = { gitDir: join(dir, '.git'), workTree: dir, cwd: dir };
  await git(['add', '--all'], here);
  await git(['commit', '--quiet', '--message', message], here);
}

/** Part of session names. */
function prefixOf(dir: string): string {
  const plain = basename(dir).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return plain === '' ? 'project' : plain;
}
