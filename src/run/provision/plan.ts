import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Tool } from '../../evidence/schema/report.ts';
import { filesOfInstallers } from '../../task/setup-inputs.ts';
import { findSetup, type Lockfile } from '../../task/lockfiles.ts';
import type { Readers } from '../../task/project-files.ts';

/** A setup command, and what the tree shows about it. */
export interface SetupPlan {
  readonly command: string;
  /** The lockfile of the tree, even if the command is not the default one for it. */
  readonly lockfile: Lockfile | null;
  /** The command is the default one for the lockfile, so that it installs only pinned packages. */
  readonly isByLockfile: boolean;
  /** Files that determine the products; null if any file of the tree may. */
  readonly decidedBy: readonly string[] | null;
}

export function planSetup(command: string, files: Readers): SetupPlan {
  const { lockfile, setupCommand } = findSetup(files);
  if (lockfile === null || command !== setupCommand)
    return { command, lockfile, isByLockfile: false, decidedBy: filesOfInstallers(command, files)?.toSorted() ?? null };
  const read = files.paths.filter((path) => path === lockfile.file || lockfile.alsoRead.test(path));
  const all = [...new Set([...read, ...(lockfile.alsoNamed?.(files) ?? [])])].toSorted();
  return { command, lockfile, isByLockfile: true, decidedBy: lockfile.usesTree(files) ? null : all };
}

export interface KeyFacts {
  readonly plan: SetupPlan;
  /** Digest of a file of the tree; null if it cannot be read. */
  readonly digestOf: (path: string) => string | null;
  /** Digest of the whole tree, as in the contract. */
  readonly baseSha256: string;
  readonly tools: readonly Tool[];
  readonly platform: string;
  /** Variables of the task. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Increase when the content or layout of cache entries changes. */
const LAYOUT = 3;

/** The cache key: setups with the same key make the same products. */
export function provisionKey({ plan, digestOf, baseSha256, tools, platform, variables }: KeyFacts): string {
  return sha256(
    canonicalJson({
      layout: LAYOUT,
      platform,
      command: plan.command,
      variables,
      files: plan.decidedBy === null ? baseSha256 : plan.decidedBy.map((path) => [path, digestOf(path)]),
      tools: tools.map(({ name, version, sha256: digest }) => [name, version, digest]),
    }),
  );
}
