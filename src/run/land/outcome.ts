import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Target } from '../apply/target.ts';
import type { GivenRequest } from '../given.ts';
import type { BaseCache } from '../trees/base-cache.ts';
import type { JudgementOptions } from './prepare-judgement.ts';

export interface LandOptions extends JudgementOptions {
  readonly repo: string;
  readonly onto: string;
  /** Also land changes to files that had no vote. */
  readonly withTests: boolean;
  /** Merge and judge, but move nothing. */
  readonly dryRun: boolean;
  /** A remote to push to before the local branch moves; null: none. */
  readonly push: string | null;
}

/** What a landing needs from its surroundings. */
export interface LandPorts {
  readonly caller: Target['caller'];
  readonly runsDir: string;
  readonly key: HarnessKey;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Where the files of tips are kept; null: nowhere. */
  readonly cache: BaseCache | null;
  /** Judges a change and seals a bundle, whatever the verdict. */
  readonly judge: (given: GivenRequest) => Promise<Report>;
  /** A sentence about what happens now. */
  readonly tell: (line: string) => void;
}

export type LandingOutcome = {
  /** Runs in which the engine tried again after a hold, oldest first; the outcome is that of the last one. */
  readonly retriedIn?: readonly string[];
} &
  /** `dry run`: it would have landed. */
  (
    | ({ readonly outcome: 'landed' | 'dry run' } & LandedCommit)
    /** `commit` is null if the branch has the change, but no commit names the run. */
    | { readonly outcome: 'already landed'; readonly runId: string; readonly commit: string | null }
    | {
        readonly outcome: 'held';
        readonly runId: string;
        readonly reasons: readonly Reason[];
        /** The bundle with the judgement; null: it came to none. */
        readonly judgedIn: string | null;
        /** Tests that the merged tree breaks. */
        readonly broken: readonly string[];
      }
  );

export interface LandedCommit {
  readonly runId: string;
  readonly commit: string;
  readonly tree: string;
  readonly tip: string;
  readonly judgedIn: string;
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
  /** File with the statement for others; null: nothing landed. */
  readonly result: string | null;
}
