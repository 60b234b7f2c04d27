import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentResult, failedCategories } from './envelope.ts';
import { EventLog, unfinishedState } from './event-log.ts';
import { believeStatus, isBroken, makeNodes, nextNode, type Node, statusOf } from './nodes.ts';
import { type Crew, runPhase, runRetrospective } from './phases.ts';
import { revisionPrompt } from './prompts.ts';
import { duration, logLine, notifier } from './say.ts';
import type { ModelName, Project } from './settings.ts';
import { phaseKey } from './state.ts';
import { readTask } from './task-file.ts';
import { type Agent, AGENT_OF, phasesOf, REVISIONS } from './words.ts';

export interface PipelineOrder {
  readonly taskPath: string;
  readonly mode: string;
  readonly project: Project;
  readonly modelOf: (agent: string) => ModelName;
}

/** Runs a task through all of its phases. Throws for what Case cannot start with; a failed phase is no such thing. */
export async function runPipeline({ taskPath, mode, project, modelOf }: PipelineOrder): Promise<void> {
  const task = readTask(taskPath);
  const profile = task.profile ?? 'standard';
  const runId = randomUUID();
  const folder = join(project.path, '.case', task.id);
  const resumed = unfinishedState(folder);
  const log = new EventLog(folder, taskPath, runId, resumed);
  const crew: Crew = { taskPath, project, modelOf, log, notify: notifier(mode) };
  const nodes = makeNodes(profile);
  const plan = planOf(task.id, profile, runId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan, null, 2));
  if (resumed === null) {
    log.append({ event: 'pipeline_start', taskId: task.id, profile, plan });
    believeStatus(nodes, task.status);
  } else {
    for (const node of nodes) takeUp(node, resumed.phases.get(phaseKey(node.phase, node.cycle)));
  }
  logLine('info', 'pipeline started', { phase: 'dag', mode, task: task.id, runId });
  const started = Date.now();
  const failedAgent = await new Pipeline(nodes, crew).run();
  const outcome = failedAgent === null ? 'completed' : 'failed';
  const durationMs = Date.now() - started;
  const failure = failedAgent === null ? {} : { failedAgent };
  log.append({ event: 'pipeline_end', outcome, ...failure, durationMs });
  const entry = { runId, task: task.id, repo: project.name, outcome, failedAgent, totalDurationMs: durationMs };
  appendFileSync(join(project.path, '.case', 'run-log.jsonl'), `${JSON.stringify(entry)}\n`);
  logLine('info', 'run metrics written', { runId, outcome });
  logLine('info', 'pipeline finished', { outcome, ...failure, runId, totalDurationMs: durationMs, eventLog: log.path });
  crew.notify(failedAgent === null ? 'Pipeline completed successfully.' : `Pipeline failed at ${failedAgent} phase.`);
}

function takeUp(node: Node, before: { status: string; result: AgentResult | null } | undefined): void {
  if (before?.status !== 'completed' && before?.status !== 'failed') return;
  node.state = before.status;
  node.result = before.result;
}

function planOf(taskId: string, profile: 'standard' | 'tiny', runId: string) {
  const phases = phasesOf(profile).map((phase) => ({ phase, agent: AGENT_OF[phase], evidenceGates: [] }));
  return { runId, taskId, profile, phases, revisionBudget: REVISIONS, modelConfig: {}, generatedAt: now() };
}

const now = (): string => new Date().toISOString();

class Pipeline {
  readonly #nodes: readonly Node[];
  readonly #crew: Crew;
  #failedAgent: Agent | null = null;
  /** An evaluator that could send the work back no more has warned once. */
  #warned = false;

  constructor(nodes: readonly Node[], crew: Crew) {
    this.#nodes = nodes;
    this.#crew = crew;
  }

  /** The agent that failed, if one did. */
  async run(): Promise<Agent | null> {
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
    const { result, givenUp } = await runPhase(phase, this.#crew, phase === 'implement' ? this.#asked(cycle) : '');
    if (givenUp) {
      notify('Auto-selecting: Abort');
      this.#failedAgent = AGENT_OF[phase];
    }
    if (phase === 'close' && result.artifacts.prUrl !== null) notify(`PR created: ${result.artifacts.prUrl}`);
    return result;
  }

  /** What an evaluator of the cycle before wants mended. */
  #asked(cycle: number): string {
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
