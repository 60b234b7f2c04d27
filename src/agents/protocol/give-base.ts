import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { isUrl } from '../../task/git/clone.ts';
import { listArchives } from '../archive/store.ts';
import type { Agent, Project } from '../config/project.ts';
import { giveCommit, hasCommit, headOfClone } from './clones.ts';
import { cloneOf } from './paths.ts';

/** Puts the commit that a phase begins with into the builder's clone, as `refs/seatrial/base`. */
export function giveBase(from: string, to: string, commit: string): Promise<void> {
  return withScratch((scratch) => giveCommit({ from, to, base: null, commit, scratch, ref: 'base' }));
}

/**
 * Gives a clone the commit that the phase began with if it lacks it, from the repository or from an earlier clone of the same agent: a kill
 * may have come between setting a clone aside and giving the new one that commit.
 */
export async function ensureBase(project: Project, agent: Agent, base: string): Promise<void> {
  const clone = cloneOf(project, agent);
  if (headOfClone(clone) === base) return;
  await withScratch(async (scratch) => {
    if (await hasCommit(clone, base, scratch)) return;
    const earlier = listArchives(project).filter(({ kind, agent: whose }) => kind === 'clone' && whose === agent.name);
    const sources = [
      ...(isUrl(project.repo) ? [] : [project.repo]),
      ...earlier.map(({ content }) => content).toReversed(),
    ];
    for (const from of sources) {
      if (!existsSync(from) || !(await hasCommit(from, base, scratch))) continue;
      await giveCommit({ from, to: clone, base: null, commit: base, scratch, ref: 'base' });
      return;
    }
  });
}

async function withScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-base-'));
  try {
    return await work(scratch);
  } finally {
    await removeTree(scratch);
  }
}
