import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { messageOf, SeatrialError } from '../../../kernel/errors.ts';
import { git } from '../../../task/git/call.ts';
import type { RepositoryCommit } from './play-repository.ts';

/** Written by bench/draw.mjs: names commits of local clones, and holds none of their code. */
const drawnChanges = z.strictObject({
  changes: z.array(
    z.strictObject({
      name: z.string(),
      /** The clone's directory. */
      repo: z.string(),
      commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
      test: z.string(),
      /** Installs what the tests need, with network access. */
      setup: z.optional(z.string()),
      /** The test command reports no tests. */
      accept: z.optional(z.literal('exit_code')),
    }),
  ),
});
export type DrawnChange = z.infer<typeof drawnChanges>['changes'][number];

export function readDrawnChanges(file: string): readonly DrawnChange[] {
  try {
    return drawnChanges.parse(JSON.parse(readFileSync(file, 'utf8'))).changes;
  } catch (error) {
    throw new SeatrialError(
      'usage',
      `${file} is no list of drawn changes (${messageOf(error)}): make one with node bench/draw.mjs`,
      error,
    );
  }
}

export const kindOfDrawn = ({ repo }: DrawnChange): string => `commits of ${basename(repo)}`;

/** The commit before the change, and a shell script that makes the change. */
export async function commitOfDrawn({
  repo,
  commit,
  test,
  setup = '',
  accept,
}: DrawnChange): Promise<RepositoryCommit> {
  const patch = await git(
    ['diff', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-renames', `${commit}^`, commit],
    { cwd: repo },
  );
  return {
    path: repo,
    commit: `${commit}^`,
    test,
    setup,
    accept,
    script: `base64 -d <<'PATCH' | git apply --binary --whitespace=nowarn -\n${patch.toString('base64')}\nPATCH\n`,
  };
}
