import { messageOf } from '../../../../kernel/errors.ts';
import { runAgent } from '../agent/agent.ts';
import { type AgentResult, completed, failedCategories } from '../agent/envelope.ts';
import type { SimulatorEventLog } from './event-log.ts';
import { retryPrompt, taskPrompt } from '../agent/prompts.ts';
import { logLine, logPhase, type Notify } from '../say.ts';
import type { ModelName, CaseProject } from '../settings.ts';
import { AGENT_OF, type CasePhase } from './words.ts';

export interface Crew {
  readonly taskPath: string;
  readonly project: CaseProject;
  readonly modelOf: (agent: string) => ModelName;
  readonly log: SimulatorEventLog;
  readonly notify: Notify;
}

/** `given up`: Case would ask the user; unattended, it takes the last option, which is to abort. */
export interface PhaseEnd {
  readonly result: AgentResult;
  readonly givenUp: boolean;
}

/** Review categories that a revision cannot fix. */
const HARD = ['principle-compliance', 'scope-discipline'];

/** Runs the agent of a phase. `preface` is the revision prompt. */
export async function runPhase(
  phase: Exclude<CasePhase, 'retrospective'>,
  crew: Crew,
  preface: string,
): Promise<PhaseEnd> {
  logPhase(phase, 'started');
  const prompt = preface + taskPrompt(AGENT_OF[phase], crew.taskPath, crew.project);
  const result = await spawn(phase, prompt, crew);
  switch (phase) {
    case 'implement':
      return result.status === 'completed' ? done(phase, result) : retry(result, prompt, crew);
    case 'review':
      return reviewEnd(result);
    case 'verify':
    case 'close':
      return result.status === 'completed' ? done(phase, result) : gaveUp(phase, result);
  }
}

/** Returns the same result whether or not the agent succeeds. */
export async function runRetrospective(outcome: string, crew: Crew): Promise<AgentResult> {
  logPhase('retrospective', 'started', { outcome });
  try {
    await spawn('retrospective', taskPrompt('retrospective', crew.taskPath, crew.project), crew);
    logPhase('retrospective', 'completed');
  } catch (error) {
    logLine('error', 'retrospective agent failed', { error: messageOf(error) });
  }
  return completed('Retrospective complete');
}

/** Only the implementer is retried. If it fails again, the first result counts. */
async function retry(first: AgentResult, prompt: string, crew: Crew): Promise<PhaseEnd> {
  const error = first.error ?? 'unknown error';
  logPhase('implement', 'failed', { error: first.error });
  const failureClass = error.includes('AGENT_RESULT') ? 'agent-protocol-error' : 'unknown';
  logPhase('implement', 'retrying', { failureClass });
  const second = await spawn('implement', retryPrompt(failureClass, error) + prompt, crew);
  if (second.status === 'completed') {
    logPhase('implement', 'retry-succeeded');
    return { result: second, givenUp: false };
  }
  logPhase('implement', 'retry-failed', { error: second.error });
  logPhase('implement', 'aborted');
  return { result: first, givenUp: true };
}

function reviewEnd(result: AgentResult): PhaseEnd {
  const hard = failedCategories(result).filter(({ category }) => HARD.includes(category));
  const critical = result.findings?.critical ?? 0;
  if (hard.length > 0) logPhase('review', 'rubric-hard-fail', { categories: hard.map(({ category }) => category) });
  else if (critical > 0) logPhase('review', 'critical-findings', { critical });
  else if (result.status === 'failed') return gaveUp('review', result);
  else return done('review', result);
  return { result, givenUp: true };
}

function done(phase: CasePhase, result: AgentResult): PhaseEnd {
  const failed = phase === 'implement' ? [] : failedCategories(result).map(({ category }) => category);
  if (failed.length > 0) logPhase(phase, 'completed-with-revision', { failedCategories: failed });
  else logPhase(phase, 'completed', phase === 'close' ? { prUrl: result.artifacts.prUrl } : {});
  return { result, givenUp: false };
}

function gaveUp(phase: CasePhase, result: AgentResult): PhaseEnd {
  logPhase(phase, 'failed', { error: result.error });
  return { result, givenUp: true };
}

function spawn(phase: CasePhase, prompt: string, { project, modelOf, log, notify }: Crew): Promise<AgentResult> {
  return runAgent({ phase, prompt, cwd: project.path, model: modelOf(AGENT_OF[phase]), log, notify });
}
