import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemCode } from '../../kernel/errors.ts';
import { configuredHooks } from '../apply/repository-settings.ts';
import type { Target } from '../apply/target.ts';

/** A sentence that names the hooks of a repository, which a landing does not run; null: it has none. */
export function skippedHooks({ repo, commonDir, settings }: Target): string | null {
  // Our own calls of git set it to /dev/null, which is listed too.
  const configured = settings.findLast(({ name, value }) => name === 'core.hookspath' && value !== '/dev/null');
  const dir = configured?.value ?? join(commonDir, 'hooks');
  const files = namesIn(resolve(repo, dir)).filter((name) => /^[a-z][a-z-]*$/.test(name));
  const names = [...new Set([...files, ...configuredHooks(settings)])].toSorted();
  return names.length === 0 ? null : `hooks of ${repo} were not run: ${names.join(', ')}`;
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
