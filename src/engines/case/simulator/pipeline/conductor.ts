import { type AgentResult, failedCategories } from '../agent/envelope.ts';
import { isBroken, nextNode, type Node, statusOf } from './nodes.ts';
import { type Crew, runPhase, runRetrospective } from './phases.ts';
import { revisionPrompt } from '../agent/prompts.ts';
import { duration } from '../say.ts';
import { type CaseAgent, AGENT_OF, REVISIONS } from './words.ts';

/** Runs all phases in order and reports them in the log and on standard output. */
export class Conductor {
  readonly #nodes: readonly Node[];
  readonly #crew: Crew;
  #failedAgent: CaseAgent | null = null;
  /** The warning about the exhausted revision budget was printed. */
  #warned = false;

  constructor(nodes: readonly Node[], crew: Crew) {
    this.#nodes = nodes;
    this.#crew = crew;
  }

  /** Resolves to the agent that failed, or null. */
  async run(): Promise<CaseAgent | null> {
    for (let node = nextNode(this.#nodes); node !== null; node = nextNode(this.#nodes)) {
      await this.#runNode(node);
      if (isBroken(this.#nodes)) this.#skipPending((left) => left.phase !== 'retrospective');
      else this.#showStatus();
    }
    this.#skipPending(() => true);
    return this.#failedAgent;
  }

  async #runNode(node: Node): Promise<void> {
    const { log, notify } = this.#crew;
    const { phase } = node;
    const agent = AGENT_OF[phase];
    const started = Date.now();
    node.state = 'running';
    log.append({ event: 'phase_start', phase, agent });
    notify(`[${phase}] starting ${agent}...`);
    if (!isBroken(this.#nodes)) this.#showStatus();
    node.result = await this.#dispatch(node);
    const outcome = node.result.status === 'completed' ? 'completed' : 'failed';
    node.state = outcome;
    if (outcome === 'failed') this.#failedAgent = agent;
    const durationMs = Date.now() - started;
    log.append({ event: 'phase_end', phase, agent, outcome, durationMs, result: node.result });
    notify(`[${phase}] ${agent} ${outcome === 'completed' ? 'done' : 'FAILED'} (${duration(durationMs)})`);
    if (outcome === 'completed') this.#sendBack(node);
  }

  async #dispatch({ phase, cycle }: Node): Promise<AgentResult> {
    const { notify } = this.#crew;
    if (phase === 'retrospective') {
      return runRetrospective(this.#failedAgent === null ? 'completed' : 'failed', this.#crew);
    }
    const { result, givenUp } = await runPhase(
      phase,
      this.#crew,
      phase === 'implement' ? this.#revisionRequest(cycle) : '',
    );
    if (givenUp) {
      notify('Auto-selecting: Abort');
      this.#failedAgent = AGENT_OF[phase];
    }
    if (phase === 'close' && result.artifacts.prUrl !== null) notify(`PR created: ${result.artifacts.prUrl}`);
    return result;
  }

  /** The revision prompt with the previous cycle's findings; empty if there are none. */
  #revisionRequest(cycle: number): string {
    const by = this.#nodes.find((node) => node.cycle === cycle - 1 && failedCategories(node.result).length > 0);
    return by === undefined ? '' : revisionPrompt(AGENT_OF[by.phase], cycle, failedCategories(by.result));
  }

  #sendBack({ phase, cycle, result }: Node): void {
    const { log, notify } = this.#crew;
    const categories = phase === 'verify' || phase === 'review' ? failedCategories(result) : [];
    if (categories.length === 0 || this.#warned) return;
    const source = AGENT_OF[phase];
    if (cycle < REVISIONS) {
      log.append({ event: 'revision_requested', source, cycle: cycle + 1, failedCategories: categories });
      notify(`Revision cycle ${cycle + 1}: ${source} found fixable issues, re-implementing`);
      return;
    }
    this.#warned = true;
    log.append({ event: 'revision_budget_exhausted', cycles: cycle + 1 });
    notify(
      `Revision budget exhausted after cycle ${cycle}. ${source} found issues but no revision cycles remain. Proceeding with warnings.`,
    );
  }

  #skipPending(which: (node: Node) => boolean): void {
    for (const node of this.#nodes.filter((left) => left.state === 'pending' && which(left))) {
      const { phase } = node;
      node.state = 'skipped';
      this.#crew.log.append({ event: 'phase_end', phase, agent: AGENT_OF[phase], outcome: 'skipped', durationMs: 0 });
    }
  }

  #showStatus(): void {
    const { log } = this.#crew;
    const from = log.state.status;
    const to = statusOf(this.#nodes);
    if (from !== to) log.append({ event: 'status_changed', from, to });
  }
}
