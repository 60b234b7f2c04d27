import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Tool } from '../../evidence/schema/report.ts';
import { findSetup, type Lockfile, type Readers } from '../../task/lockfiles.ts';

/** A setup command, with what is known of it from the tree that it is to run in. */
export interface SetupPlan {
  readonly command: string;
  /** The lockfile of the tree, whether or not the command is the one that belongs to it. */
  readonly lockfile: Lockfile | null;
  /** The command is the lockfile's own, so that nothing but pinned packages comes of it. */
  readonly isByLockfile: boolean;
  /** Files that decide what comes of it; null: any file of the tree may. */
  readonly decidedBy: readonly string[] | null;
}

export function planSetup(command: string, files: Readers): SetupPlan {
  const { lockfile, setupCommand } = findSetup(files);
  if (lockfile === null || command !== setupCommand) return { command, lockfile, isByLockfile: false, decidedBy: null };
  const read = files.paths.filter((path) => path === lockfile.file || lockfile.alsoRead.test(path)).toSorted();
  return { command, lockfile, isByLockfile: true, decidedBy: lockfile.usesTree(files) ? null : read };
}

export interface KeyFacts {
  readonly plan: SetupPlan;
  /** Digest of a file of the tree; null: it cannot be read. */
  readonly digestOf: (path: string) => string | null;
  /** Of the whole tree, as the contract names it. */
  readonly baseSha256: string;
  readonly tools: readonly Tool[];
  readonly platform: string;
}

/** Changes whenever an entry of the cache is made or laid out differently. */
const LAYOUT = 2;

/** Names what a setup makes: two setups with the same key make the same thing. */
export function provisionKey({ plan, digestOf, baseSha256, tools, platform }: KeyFacts): string {
  return sha256(
    canonicalJson({
      layout: LAYOUT,
      platform,
      command: plan.command,
      files: plan.decidedBy === null ? baseSha256 : plan.decidedBy.map((path) => [path, digestOf(path)]),
      tools: tools.map(({ name, version, sha256: digest }) => [name, version, digest]),
    }),
  );
}
