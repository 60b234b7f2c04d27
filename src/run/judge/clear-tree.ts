import { rmSync } from 'node:fs';
import { pathText } from '../../kernel/path-text.ts';
import { restoreTestEntries } from './patch/package-entries.ts';
import { broughtTestsFiles, broughtTools } from './patch/patch-facts.ts';
import type { JudgeRequest } from './types.ts';

/**
 * Takes out of the tree what only the patch brings and what would have a say in its tests: test tools, files that would be taken for the
 * directory of sealed tests, other targets for the names of their helpers. Gives what was removed, for the report.
 */
export function clearTree(request: JudgeRequest): readonly string[] {
  const { patch, workspace, sealedTests, scriptsIn, isolation } = request;
  // A tree that is kept apart from the tests has no say in them, whatever it holds.
  if (isolation === 'black_box') return [];
  if (sealedTests !== null && scriptsIn !== undefined) restoreTestEntries(workspace, scriptsIn);
  if (patch === undefined) return [];
  const paths = [...broughtTools(patch), ...(sealedTests === null ? [] : broughtTestsFiles(patch))];
  return paths.map((path) => {
    const bytes = Buffer.from(path, 'latin1');
    rmSync(Buffer.concat([Buffer.from(`${workspace}/`), bytes]), { recursive: true, force: true });
    return pathText(bytes);
  });
}
