import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGitDir } from './call.ts';

/** Overrides the tree's own attributes: no conversion, no filter, no diff driver. */
const OWN_ATTRIBUTES = '* -text !eol -ident !filter !diff !merge !working-tree-encoding !whitespace\n';

/** The harness's own git directory, never visible to an engine. */
export function openOwnGit(dir: string): string {
  makeGitDir(dir);
  mkdirSync(join(dir, 'info'), { recursive: true });
  writeFileSync(join(dir, 'info', 'attributes'), OWN_ATTRIBUTES);
  return dir;
}
