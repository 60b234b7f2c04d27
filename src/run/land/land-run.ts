import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { pathText } from '../../kernel/path-text.ts';
import { CommitBuilder, MergeConflict } from '../apply/build-commit.ts';
import { mergeChange, type MergedChange } from '../apply/merge-change.ts';
import { attestationLine } from '../apply/message.ts';
import { listed } from '../apply/refusal.ts';
import { branchName } from '../apply/target.ts';
import { type Branch, openBranch, refusalOfHolder } from './branch.ts';
import { authorOf, landingMessage } from './commit-text.ts';
import { readGateFacts } from './gate-facts.ts';
import { brokenIn, holdsOf } from './holds.ts';
import type { LandedCommit, LandingOutcome, LandOptions, LandPorts } from './outcome.ts';
import { type MergedCommit, prepareJudgement } from './prepare-judgement.ts';
import type { ProvenRun } from './proven-run.ts';
import { publishCommit } from './publish.ts';
import { remoteTip } from './push.ts';
import { finishCheckout } from './unfinished-checkout.ts';

/** How often a moved tip is followed. */
const MAX_ATTEMPTS = 5;

/**
 * Merges the change of a run with the tip of a branch, judges the merged tree and moves the branch only if it passes. The caller holds the
 * lock of the repository. `scratch` exists and is empty.
 */
export async function landRun(
  run: ProvenRun,
  options: LandOptions,
  ports: LandPorts,
  scratch: string,
): Promise<LandingOutcome> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const place = join(scratch, String(attempt));
    mkdirSync(place);
    const branch = await openBranch(options.repo, options.onto, ports.caller);
    if (!options.dryRun) await finishCheckout(branch, place);
    const done = await new Attempt(run, branch, options, ports, place).land();
    if (done !== 'moved') return done;
    ports.tell(`${branchName(branch.ref)} has moved; judging again`);
  }
  return held(run, [reason('landing_moved', { branch: options.onto, n: MAX_ATTEMPTS })]);
}

function held(run: ProvenRun, reasons: readonly Reason[], report: Report | null = null): LandingOutcome {
  return {
    outcome: 'held',
    runId: run.report.run_id,
    reasons,
    judgedIn: report?.run_id ?? null,
    broken: report === null ? [] : brokenIn(report),
  };
}

/** One attempt on one tip. */
class Attempt {
  readonly #run: ProvenRun;
  readonly #branch: Branch;
  readonly #options: LandOptions;
  readonly #ports: LandPorts;
  readonly #scratch: string;
  readonly #builder: CommitBuilder;

  constructor(run: ProvenRun, branch: Branch, options: LandOptions, ports: LandPorts, scratch: string) {
    this.#run = run;
    this.#branch = branch;
    this.#options = options;
    this.#ports = ports;
    this.#scratch = scratch;
    this.#builder = new CommitBuilder(branch.target, this.#dir('objects'), 'aside');
  }

  #dir(name: string): string {
    const dir = join(this.#scratch, name);
    mkdirSync(dir);
    return dir;
  }

  get #name(): string {
    return branchName(this.#branch.ref);
  }

  /** `moved`: the branch has another tip now. */
  async land(): Promise<LandingOutcome | 'moved'> {
    const { base, attestation, report } = this.#run;
    const { tip } = this.#branch;
    const landed = await this.#builder.findCommit(attestationLine(attestation), tip, base);
    if (landed !== null) return { outcome: 'already landed', runId: report.run_id, commit: landed };
    const early = await this.#refusal();
    if (early !== null) return held(this.#run, [early]);
    const change = await this.#merge();
    if ('status' in change) return held(this.#run, [change]);
    if (change.tree === change.before)
      return change.leftOut.length > 0
        ? held(this.#run, [reason('landing_no_vote', { files: change.leftOut.join(', ') })])
        : { outcome: 'already landed', runId: report.run_id, commit: null };
    const changes = await this.#builder.changes(change.before, change.tree);
    const filtered = await this.#filtered(change);
    if (filtered !== null) return held(this.#run, [filtered]);
    return this.#judge(change, { commit: await this.#commit(change), tree: change.tree, changes });
  }

  /** Before time is spent on judging. */
  async #refusal(): Promise<Reason | null> {
    const why = await refusalOfHolder(this.#branch, join(this.#scratch, 'before'));
    if (why !== null) return reason('landing_refused', { why });
    const { push } = this.#options;
    if (push === null) return null;
    const there = await remoteTip(this.#branch, push);
    const { tip: here } = this.#branch;
    if (there === null || there === here) return null;
    const short = (commit: string): string => commit.slice(0, 12);
    return reason('landing_remote_moved', {
      branch: this.#name,
      there: short(there),
      remote: push,
      here: short(here),
    });
  }

  async #merge(): Promise<MergedChange | Reason> {
    const { withTests, repo } = this.#options;
    const { no_vote: noVote = [], own_tests: ownTests = [] } = this.#run.report.deciding ?? {};
    const silent = noVote.map(({ path }) => path);
    try {
      return await mergeChange(this.#builder, {
        repo,
        bundleDir: this.#run.dir,
        base: this.#run.base,
        onto: this.#branch.tip,
        withoutVote: new Set(withTests ? [] : silent),
        ownTests: new Set(withTests ? [] : ownTests),
      });
    } catch (error) {
      if (!(error instanceof MergeConflict)) throw error;
      return reason('landing_conflict', { branch: this.#name, files: error.files.join(', ') });
    }
  }

  async #filtered({ before, tree }: MergedChange): Promise<Reason | null> {
    const paths = (await this.#builder.changes(before, tree)).map(({ path }) => path);
    const found = [...(await this.#builder.filtered(before, paths)), ...(await this.#builder.filtered(tree, paths))];
    const [first] = found;
    if (first === undefined) return null;
    const files = [...new Map(found.map(({ path }) => [pathText(path), path])).values()];
    return reason('landing_filtered', { files: listed(files), filter: first.filter });
  }

  async #commit({ tree, leftOut }: MergedChange): Promise<string> {
    const { given } = this.#run.contract;
    const original = given?.kind === 'commit' ? await this.#builder.readCommit(given.commit) : null;
    const message = landingMessage(this.#run, original, leftOut, this.#options.withTests);
    return this.#builder.commit(tree, this.#branch.tip, message, original === null ? {} : authorOf(original));
  }

  async #judge(change: MergedChange, merged: MergedCommit): Promise<LandingOutcome | 'moved'> {
    const { withTests, acceptExitCode } = this.#options;
    const { tip } = this.#branch;
    const place = this.#dir('judge');
    const onto = { branch: this.#branch, cache: this.#ports.cache };
    const given = await prepareJudgement(this.#run, onto, merged, this.#builder, this.#options, place);
    const report = await this.#ports.judge(given);
    const facts = readGateFacts(report, merged.changes);
    const reasons = holdsOf({
      branch: this.#name,
      report,
      ...facts,
      unvoted: withTests ? [] : facts.unvoted,
      knownFailing: given.terms.judging?.known_failing ?? [],
      acceptExitCode,
    });
    if (reasons.length > 0) return held(this.#run, reasons, report);
    const judged = await this.#builder.patchedTree(report.run_dir, tip);
    if (judged !== merged.tree)
      return held(this.#run, [reason('landing_differs', { judged, tree: merged.tree })], report);
    const landed: LandedCommit = {
      runId: this.#run.report.run_id,
      commit: merged.commit,
      tree: merged.tree,
      tip,
      judgedIn: report.run_id,
      leftOut: change.leftOut,
      notes: [],
      result: null,
    };
    if (this.#options.dryRun) return { outcome: 'dry run', ...landed };
    const proven = { runId: landed.runId, report, merged, branch: this.#branch, builder: this.#builder };
    const published = await publishCommit(proven, this.#options, this.#ports, this.#dir('publish'));
    switch (published.kind) {
      case 'landed':
        return { outcome: 'landed', ...landed, notes: published.notes, result: published.result };
      case 'held':
        return held(this.#run, [published.reason], report);
      case 'moved':
        return 'moved';
      default:
        return published satisfies never;
    }
  }
}
