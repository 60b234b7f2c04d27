import { appendFileSync, lutimesSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Overlay, OverlaySpace } from '../../../confine/overlay/space.ts';
import { git, type GitCall } from '../../../task/git/call.ts';
import { walkTree } from '../../../task/tree/walk.ts';

/**
 * Fills the index with what git would look up when a test first calls it: otherwise that call reads every file of the tree, and all of
 * them would seem to be used by the tests. Owner and change time are left out, because both still change.
 */
async function fillIndex(tree: string, seen: { readonly workTree: string } & Pick<GitCall, 'entering'>): Promise<void> {
  appendFileSync(join(tree, '.git', 'config'), '[core]\n\ttrustctime = false\n\tcheckStat = minimal\n');
  await git(['update-index', '-q', '--refresh'], { ...seen, gitDir: join(seen.workTree, '.git') });
}

/** Git doubts files that were written in the second of its index, or later. Whole seconds survive being set again. */
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

export async function settleCopy(tree: string): Promise<void> {
  const past = secondsFromNow(-3600);
  for (const { kind, path } of walkTree(tree, { skipTopGit: true }).entries.values())
    if (kind !== 'dir') lutimesSync(Buffer.concat([Buffer.from(`${tree}/`), path]), past, past);
  await fillIndex(tree, { workTree: tree });
}

/** Files of lower layers keep their times, which may be of this very second. */
export async function settleOverlay({ entering }: OverlaySpace, { view, merged }: Overlay): Promise<void> {
  await fillIndex(view, { workTree: merged, entering });
  const next = secondsFromNow(2);
  utimesSync(join(view, '.git', 'index'), next, next);
}
