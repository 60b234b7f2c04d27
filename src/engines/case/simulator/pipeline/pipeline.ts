import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Conductor } from './conductor.ts';
import type { AgentResult } from '../agent/envelope.ts';
import { SimulatorEventLog, unfinishedState } from './event-log.ts';
import { believeStatus, makeNodes, type Node } from './nodes.ts';
import type { Crew } from './phases.ts';
import { logLine, notifier } from '../say.ts';
import type { ModelName, CaseProject } from '../settings.ts';
import { phaseKey } from './state.ts';
import { readSimulatedTask } from '../task-file.ts';
import { AGENT_OF, phasesOf, REVISIONS } from './words.ts';

export interface PipelineOrder {
  readonly taskPath: string;
  readonly mode: string;
  readonly project: CaseProject;
  readonly modelOf: (agent: string) => ModelName;
}

/** Runs a task through all phases. Throws if the pipeline cannot start, but not if a phase fails. */
export async function runPipeline({ taskPath, mode, project, modelOf }: PipelineOrder): Promise<void> {
  const task = readSimulatedTask(taskPath);
  const profile = task.profile ?? 'standard';
  const runId = randomUUID();
  const dir = join(project.path, '.case', task.id);
  const resumed = unfinishedState(dir);
  const log = new SimulatorEventLog(dir, taskPath, runId, resumed);
  const crew: Crew = { taskPath, project, modelOf, log, notify: notifier(mode) };
  const nodes = makeNodes(profile);
  const plan = planOf(task.id, profile, runId);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(plan, null, 2));
  if (resumed === null) {
    log.append({ event: 'pipeline_start', taskId: task.id, profile, plan });
    believeStatus(nodes, task.status);
  } else {
    for (const node of nodes) takeUp(node, resumed.phases.get(phaseKey(node.phase, node.cycle)));
  }
  logLine('info', 'pipeline started', { phase: 'dag', mode, task: task.id, runId });
  const started = Date.now();
  const failedAgent = await new Conductor(nodes, crew).run();
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
  return {
    runId,
    taskId,
    profile,
    phases,
    revisionBudget: REVISIONS,
    modelConfig: {},
    generatedAt: new Date().toISOString(),
  };
}
