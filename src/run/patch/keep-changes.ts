import { reason } from '../../evidence/reasons/catalogue.ts';
import { type Reason, reasonTexts } from '../../evidence/reasons/reason.ts';
import type { Bundle } from '../../evidence/bundle/bundle.ts';
import type { EventData } from '../../evidence/schema/events.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { sha256 } from '../../kernel/digest.ts';
import { pathText } from '../../kernel/path-text.ts';
import type { Contract } from '../../task/contract.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { guardFacts } from '../../task/guards/guard-facts.ts';
import { guardedChanges } from '../../task/guards/guarded-changes.ts';
import { type Change, compareTrees } from '../../task/tree/compare.ts';
import { disallowedChanges, vouchFor } from './changes.ts';
import { writePatch } from './write.ts';
import { type Exposed, findExposed } from './secrets.ts';

export interface FrozenWork {
  readonly frozen: Tree;
  readonly frozenDir: string;
  readonly base: Tree;
  readonly beforeEngine: Tree;
  /** Directory with the unchanged files of the base. */
  readonly baseDir: string;
  readonly ignored: readonly string[];
  readonly contract: Contract;
  /** Where the harness's own git directory is made. */
  readonly ownGit: string;
  readonly bundle: Bundle;
  readonly secrets: SecretPatterns;
}

/** The changes an engine made, as far as they could be read and stored. */
export interface KeptChanges {
  readonly patch: Buffer;
  /** Files omitted from the patch because they contain secrets. */
  readonly exposed: readonly Exposed[];
  /** The observed changes, stored or not. */
  readonly changes: readonly Change[];
  /** For `git.diff.checked`; the caller masks it and adds the violations. */
  readonly checked: EventData<'git.diff.checked'>;
}

/**
 * Writes `patch.diff` and `blobs/` into the bundle: all changes of a frozen tree except those that cannot be stored (devices, links out,
 * secrets) or read (below an unreadable directory), each of which is listed.
 */
export async function keepChanges(work: FrozenWork): Promise<KeptChanges> {
  const { frozen, frozenDir, baseDir, ownGit, bundle } = work;
  const { seen, storable } = vouchFor(compareTrees(work.beforeEngine, frozen), frozen);
  const exposed = findExposed(storable, { dir: baseDir, tree: work.base }, frozenDir, work.secrets);
  const secret = new Set(exposed.map(({ path }) => path.toString('latin1')));
  const stored = storable.filter(({ path }) => !secret.has(path.toString('latin1')));
  const notKept = reasonTexts([...frozen.faults.map(({ reason: fault }) => fault), ...exposed.map(secretReason)]);
  const configured = work.contract.repository?.guarded_paths ?? [];
  const guarded = guardedChanges(seen, guardFacts({ base: work.base, baseDir, frozen, frozenDir, configured }));
  const disallowed = disallowedChanges(seen, work.contract, new Set(guarded));
  const patch = await writePatch(stored, { ownGit, baseDir, frozenDir }, bundle);
  return {
    patch,
    exposed,
    changes: seen,
    checked: {
      changed_files: seen.map(({ path }) => pathText(path)),
      disallowed_writes: disallowed,
      ignored_files: [...work.ignored],
      patch_sha256: sha256(patch),
      patch_bytes: patch.length,
      faults: [],
      ...(notKept.length === 0 ? {} : { not_kept: bounded(notKept) }),
    },
  };
}

/** The names in it come from an engine. */
export function maskChecked(checked: KeptChanges['checked'], mask: Masker): KeptChanges['checked'] {
  const { changed_files: changed, disallowed_writes: disallowed, ignored_files: ignored, not_kept: left } = checked;
  return {
    ...checked,
    changed_files: mask.texts(changed),
    disallowed_writes: mask.texts(disallowed),
    ignored_files: mask.texts(ignored),
    ...(left === undefined ? {} : { not_kept: mask.texts(left) }),
  };
}

export const secretReason = ({ path }: Exposed): Reason<'blocked'> =>
  reason('secret_in_patch', { path: pathText(path) });

const MAX_LISTED = 100;

const bounded = (texts: readonly string[]): string[] =>
  texts.length <= MAX_LISTED ? [...texts] : [...texts.slice(0, MAX_LISTED), `and ${texts.length - MAX_LISTED} more`];
