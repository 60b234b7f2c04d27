import { matchGlobs } from '../patch/changes.ts';
import type { RefUpdate } from './update.ts';

const BRANCHES = 'refs/heads/';
const RECORDS = 'refs/seatrial/landings/';

/** What has to be shown before a ref may be updated. */
export type Demand =
  /** Nothing: the ref is not protected. */
  | { readonly kind: 'none' }
  /** Every commit that is not reachable from `known` has a record for `branch`; `ancestor` stays reachable. */
  | {
      readonly kind: 'commits';
      readonly branch: string;
      readonly tip: string;
      readonly known: readonly string[];
      readonly ancestor: string | null;
    }
  /** The blob is the record of the commit. */
  | { readonly kind: 'record'; readonly commit: string; readonly blob: string }
  | { readonly kind: 'refused'; readonly why: string };

/** The refs of the receiving repository, and what its owner set. */
export interface ReceivingRepository {
  /** Branches that need proof, as globs of short names. */
  readonly protectedBranches: readonly string[];
  /** Commits that are accepted with all that came before them. */
  readonly history: readonly string[];
  readonly refs: readonly { readonly name: string; readonly id: string; readonly symref: string | null }[];
}

/** Pure: what one update of a push has to show. */
export function demandOf({ ref: named, before, after }: RefUpdate, repository: ReceivingRepository): Demand {
  const { refs, history, protectedBranches } = repository;
  // An update of a symbolic ref moves the branch behind it.
  const ref = refs.find(({ name }) => name === named)?.symref ?? named;
  if (ref.startsWith('refs/replace/')) return refused('it would make git show other content in place of a commit');
  if (ref.startsWith('refs/seatrial/')) return demandOfRecord(ref, before, after);
  const isProtected = (name: string): boolean =>
    name.startsWith(BRANCHES) && matchGlobs(protectedBranches)(name.slice(BRANCHES.length));
  if (!isProtected(ref)) return { kind: 'none' };
  if (after === null) return refused('a protected branch cannot be deleted');
  const accepted = refs.filter(({ name }) => isProtected(name)).map(({ id }) => id);
  return {
    kind: 'commits',
    branch: ref,
    tip: after,
    known: [...history, ...(before === null ? accepted : [before])],
    ancestor: before,
  };
}

function demandOfRecord(ref: string, before: string | null, after: string | null): Demand {
  const commit = ref.startsWith(RECORDS) ? ref.slice(RECORDS.length) : '';
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return refused('only records of landings are kept below refs/seatrial/');
  if (after === null || (before !== null && before !== after))
    return refused('a landing record cannot be changed or deleted');
  return { kind: 'record', commit, blob: after };
}

const refused = (why: string): Demand => ({ kind: 'refused', why });
