import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ADVERSARY_ROLE, BUILDER_ROLE, type Phase, playerOf, type Project } from '../config/project.ts';
import type { ProjectHistory } from '../journal/fold.ts';
import { newPhaseHistory } from '../journal/phase-history.ts';
import type { JournalFact } from '../journal/schema.ts';
import type { Journal } from '../journal/store.ts';
import { ensureClone, faultOfClaim, giveCommit } from '../protocol/clones.ts';
import {
  appendProtocolFile,
  checkInbox,
  inboxMessage,
  readInbox,
  readProtocolFile,
  replaceProtocolFile,
} from '../protocol/inbox.ts';
import { keepJournalForVerdict, keepJournalView } from '../protocol/journal-view.ts';
import { inboxOwners, phaseFiles, workDirOf } from '../protocol/paths.ts';
import { beginPhase, builderClone } from './begin.ts';
import { claimIn, verdictIn } from './claims.ts';
import { decidePhase, type PhaseAction, type PhaseFacts } from './decide.ts';
import { writePhaseIndex } from './index-file.ts';
import { type LandingResult, runLanding } from './landing.ts';
import { type ProofResult, runProof } from './proof.ts';

interface PhaseRunnerOptions {
  readonly project: Project;
  readonly journal: Journal;
  readonly clock: Clock;
  /** A directory of our own for short-lived git directories. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Called when a proof has ended. */
  readonly onProof: () => void;
}

/** Takes the open phase one step further. Proofs run beside; everything else is done when `step` resolves. */
export class PhaseRunner {
  readonly #options: PhaseRunnerOptions;
  #proof: Promise<void> | null = null;

  constructor(options: PhaseRunnerOptions) {
    this.#options = options;
  }

  /** True: something changed, so the journal has to be read again. */
  async step(phase: Phase, index: number, history: ProjectHistory): Promise<boolean> {
    keepJournalView(this.#options.project, phase, history.phases.get(phase.id)?.claim ?? null);
    const kept = await this.#keepInboxes(phase, history);
    const facts = await this.#gather(phase, history);
    const action = decidePhase(facts, this.#options.clock.now());
    if (action === null) return kept;
    await this.#act(action, phase, index, history);
    return true;
  }

  async settled(): Promise<void> {
    await this.#proof;
  }

  async #gather(phase: Phase, history: ProjectHistory): Promise<PhaseFacts> {
    const { project, scratch } = this.#options;
    const files = phaseFiles(project, phase.id);
    const own = history.phases.get(phase.id) ?? newPhaseHistory(phase.id);
    const commit = claimIn(readProtocolFile(files.status));
    const review = readProtocolFile(files.review).slice(own.claim?.reviewFrom ?? 0);
    const adversary = playerOf(project, ADVERSARY_ROLE);
    const examiner = adversary === null ? null : (history.agents.get(adversary.name)?.current ?? null);
    const clone = builderClone(project);
    const isNew = commit !== null && commit !== own.claim?.commit && own.began !== null && clone !== null;
    const base = own.began?.base ?? null;
    return {
      phase,
      history: own,
      hasAdversary: adversary !== null,
      adversaryStopped: examiner === null || examiner.end !== null,
      claim: isNew ? { commit, fault: await faultOfClaim({ clone, base, commit, scratch }) } : null,
      verdict: verdictIn(review),
      review,
      proofRunning: this.#proof !== null,
      maxRounds: project.maxRounds,
    };
  }

  async #act(action: PhaseAction, phase: Phase, index: number, history: ProjectHistory): Promise<void> {
    const { project, journal } = this.#options;
    switch (action.do) {
      case 'begin':
        return beginPhase(project, phase, index, history, journal);
      case 'refuse-claim':
        return this.#tell(phase, BUILDER_ROLE, `REFUSED ${action.claim}: ${action.why}`, {
          type: 'claim.refused',
          phase: phase.id,
          claim: action.claim,
          why: action.why,
        });
      case 'accept-claim':
        return this.#acceptClaim(phase, action.commit, history);
      case 'hand-over':
        return this.#handOver(phase, action.commit, history);
      case 'record-verdict': {
        const { verdict, commit } = action.verdict;
        keepJournalForVerdict(project, phase, commit);
        const fact = { type: 'verdict.seen', phase: phase.id, commit, verdict, text: action.text } as const;
        if (verdict === 'PASS') await journal.append(fact);
        else await this.#tell(phase, BUILDER_ROLE, `FAIL ${commit}\n\n${quoted(action.text)}`, fact);
        return;
      }
      case 'run-proof':
        await journal.append({
          type: 'proof.started',
          phase: phase.id,
          commit: action.commit,
          attempt: action.attempt,
        });
        this.#startProof(phase, action.commit, action.attempt, history);
        return;
      case 'land':
        await journal.append({
          type: 'landing.started',
          phase: phase.id,
          commit: action.commit,
          attempt: action.attempt,
        });
        this.#startLanding(phase, action);
        return;
      case 'ask-person':
        await journal.append({ type: 'phase.needs', phase: phase.id, what: action.what });
        return;
      case 'advance': {
        const { commit, outcome, bundle, landed } = action;
        const more = landed === null ? {} : { landed };
        await journal.append({ type: 'phase.ended', phase: phase.id, index, outcome, commit, bundle, ...more });
        writePhaseIndex(project, index + 1);
        return;
      }
      default:
        action satisfies never;
    }
  }

  async #acceptClaim(phase: Phase, commit: string, history: ProjectHistory): Promise<void> {
    const builder = playerOf(this.#options.project, BUILDER_ROLE);
    await this.#options.journal.append({
      type: 'claim.seen',
      phase: phase.id,
      commit,
      agent: builder?.name ?? BUILDER_ROLE,
      spawn: builder === null ? null : (history.agents.get(builder.name)?.current?.started.spawn ?? null),
    });
  }

  /** The adversary's clone gets the claimed commit, and its inbox the name of it. */
  async #handOver(phase: Phase, commit: string, history: ProjectHistory): Promise<void> {
    const { project, scratch } = this.#options;
    const adversary = playerOf(project, ADVERSARY_ROLE);
    const from = builderClone(project);
    if (adversary !== null && adversary.dir === null && from !== null) {
      await ensureClone(project, adversary);
      const base = history.phases.get(phase.id)?.began?.base ?? null;
      await giveCommit({ from, to: workDirOf(project, adversary), base, commit, scratch, ref: 'claim' });
    }
    const review_length = readProtocolFile(phaseFiles(project, phase.id).review).length;
    await this.#tell(phase, ADVERSARY_ROLE, `CLAIM ${commit}`, {
      type: 'claim.handed',
      phase: phase.id,
      commit,
      review_length,
    });
  }

  #startProof(phase: Phase, commit: string, attempt: number, history: ProjectHistory): void {
    const { project, signal } = this.#options;
    const base = history.phases.get(phase.id)?.began?.base ?? null;
    const repo = builderClone(project);
    const run =
      base === null || repo === null
        ? Promise.resolve<ProofResult>({ verdict: 'blocked', reason: 'the phase has no base commit', bundle: null })
        : runProof({ project, phase, repo, base, commit, signal });
    this.#beside(run.then((result) => (signal.aborted ? undefined : this.#proofEnded(phase, commit, attempt, result))));
  }

  #startLanding(
    phase: Phase,
    { commit, attempt, branch, bundle }: Extract<PhaseAction, { readonly do: 'land' }>,
  ): void {
    const { project, signal } = this.#options;
    const run = runLanding({ project, branch, bundle, signal });
    this.#beside(
      run.then((result) => (signal.aborted ? undefined : this.#landingEnded(phase, commit, attempt, branch, result))),
    );
  }

  #beside(work: Promise<void>): void {
    this.#proof = work.finally(() => {
      this.#proof = null;
      this.#options.onProof();
    });
  }

  async #landingEnded(
    phase: Phase,
    commit: string,
    attempt: number,
    branch: string,
    result: LandingResult,
  ): Promise<void> {
    const fact = { type: 'landing.ended', phase: phase.id, commit, attempt, ...result } as const;
    const text = `FAIL ${commit}\n\nIt passes alone but cannot land on ${branch}: ${result.reason ?? 'no reason'}\nMerge ${branch} of the repository into your work and claim the result.`;
    if (result.verdict === 'fail') await this.#tell(phase, BUILDER_ROLE, text, fact);
    else await this.#options.journal.append(fact);
  }

  async #proofEnded(phase: Phase, commit: string, attempt: number, result: ProofResult): Promise<void> {
    const fact = { type: 'proof.ended', phase: phase.id, commit, attempt, ...result } as const;
    if (result.verdict === 'fail')
      await this.#tell(
        phase,
        BUILDER_ROLE,
        `FAIL ${commit}\n\nThe proof failed: ${result.reason ?? 'no reason'}`,
        fact,
      );
    else await this.#options.journal.append(fact);
  }

  /** Journals a fact and a message together, then writes the message: a kill in between is repaired by `#keepInboxes`. */
  async #tell(phase: Phase, role: string, text: string, fact: JournalFact): Promise<void> {
    const { project, journal, clock } = this.#options;
    const message = inboxMessage(clock.now(), 'the watchdog', text);
    await journal.append(fact, { type: 'inbox.received', phase: phase.id, role, text: message });
    appendProtocolFile(phaseFiles(project, phase.id).inbox(role), message);
  }

  async #keepInboxes(phase: Phase, history: ProjectHistory): Promise<boolean> {
    const { project, journal } = this.#options;
    let changed = false;
    for (const role of inboxOwners(project)) {
      const path = phaseFiles(project, phase.id).inbox(role);
      const known = history.phases.get(phase.id)?.inbox.get(role) ?? [];
      const { received, restored } = checkInbox(known, readInbox(path));
      if (received !== null) await journal.append({ type: 'inbox.received', phase: phase.id, role, text: received });
      if (restored !== null) {
        replaceProtocolFile(path, restored);
        await journal.append({ type: 'inbox.restored', phase: phase.id, role, sha256: sha256(restored) });
      }
      changed ||= received !== null || restored !== null;
    }
    return changed;
  }
}

/** A review's own claim or verdict lines must not count again where it is quoted. */
const quoted = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .slice(-60)
    .map((line) => `> ${line}`)
    .join('\n');

/** Throws if phases were renamed below the index: what was proven would be shown as something else. */
export function checkPhasesUnchanged(project: Project, index: number, history: ProjectHistory): void {
  for (const { ended } of history.phases.values()) {
    if (ended === null || ended.index >= index || history.index === null || ended.index >= history.index) continue;
    const now = project.phases[ended.index];
    if (now !== undefined && now.id !== ended.phase)
      throw new SeatrialError(
        'blocked',
        `phase ${ended.index + 1} was ${ended.phase} when it ended and is ${now.id} in ${project.file} now; restore its id, or choose a phase with \`seatrial phase set <id>\``,
      );
  }
}
