import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { RepositoryStanding } from '../../admission/facts.ts';
import type { Environment } from '../../evidence/bundle/keys.ts';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { readToml } from '../../task/toml/parse-toml.ts';
import { userConfigDir } from '../history/signers.ts';

/** `owned.toml` in the user's configuration: repositories that belong to the user and whose loss would do no harm. */
export const ownedFile = z.strictObject({
  repositories: z.optional(
    z.array(
      z.strictObject({ path: z.string().check(z.regex(/^\//, 'must be an absolute path')), critical: z.boolean() }),
    ),
  ),
});

const ownedPath = (env: Environment): string => join(userConfigDir(env), 'owned.toml');

/** Throws a usage error for a list that cannot be read: whoever may be critical must not be taken for noncritical. */
function readOwned(env: Environment): NonNullable<z.infer<typeof ownedFile>['repositories']> {
  const path = ownedPath(env);
  if (!existsSync(path)) return [];
  const faults: string[] = [];
  const file = readToml(path, ownedFile, faults);
  if (file === null) throw new SeatrialError('usage', `${path}: ${faults.join('; ')}`);
  return file.repositories ?? [];
}

export const sandboxesDir = (stagesDir: string): string => join(stagesDir, 'sandboxes');

/** By real paths, so that a link to a listed repository is that repository, and a link below the sandboxes is not a sandbox. */
export function repositoryStanding(path: string, stagesDir: string, env: Environment): RepositoryStanding {
  const real = realOf(path);
  if (real === null) return 'other';
  const sandboxes = realOf(sandboxesDir(stagesDir));
  if (sandboxes !== null && real.startsWith(`${sandboxes}/`)) return 'sandbox';
  const listed = readOwned(env).filter((one) => realOf(one.path) === real);
  return listed.length > 0 && listed.every(({ critical }) => !critical) ? 'owned' : 'other';
}

/** Lists a repository as owned and noncritical. */
export function listAsOwned(path: string, env: Environment): string {
  const real = realOf(path);
  if (real === null) throw new SeatrialError('usage', `there is no repository ${path}`);
  const listed = readOwned(env);
  const file = ownedPath(env);
  if (listed.some((one) => realOf(one.path) === real))
    throw new SeatrialError('usage', `${file} already lists ${real}; edit it there`);
  const text = [...listed, { path: real, critical: false }]
    .map((one) => `[[repositories]]\npath = ${JSON.stringify(one.path)}\ncritical = ${one.critical}\n`)
    .join('\n');
  reportingWrite(file, () => {
    makeDirs(dirname(file), 0o700);
    writeWhole(file, text);
  });
  return file;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
