import type { Category } from './envelope.ts';
import { markdownOf } from '../task-file.ts';
import type { CaseProject } from '../settings.ts';
import type { CaseAgent } from '../pipeline/words.ts';

/** Titles begin like Case's, because scripted models tell agents apart by them. */
const ABOUT: Record<CaseAgent, string> = {
  implementer: '# Implementer — stand-in\n\nRead the task file, change the repository as it asks, test, and commit.',
  verifier: '# Verifier — stand-in\n\nSee for yourself whether the last commit does what the task file asks.',
  reviewer:
    '# Reviewer — stand-in\n\nRead the last commit: is it in scope, tested, and in the style of the repository?',
  closer: '# Closer — stand-in\n\nSum up the work for its owner.',
  retrospective: '# Retrospective — stand-in\n\nSay what this run teaches.',
};

const HOW_TO_END = `End your last answer with the result, on lines of its own:
<<<AGENT_RESULT
{"status":"completed","summary":"…","artifacts":{"commit":"…","filesChanged":[],"testsPassed":true},"error":null}
AGENT_RESULT>>>`;

export const systemPrompt = (agent: CaseAgent): string => `${ABOUT[agent]}\n\n${HOW_TO_END}`;

/** Names the task's files, which the agent must read itself. */
export function taskPrompt(agent: CaseAgent, taskPath: string, project: CaseProject): string {
  const commands = Object.entries(project.commands ?? {}).map(([name, command]) => `- **${name}**: \`${command}\``);
  return [
    ABOUT[agent],
    '',
    '## Task Context',
    '',
    `- **Task file**: \`${markdownOf(taskPath)}\``,
    `- **Task JSON**: \`${taskPath}\``,
    `- **Target repo**: \`${project.path}\``,
    `- **Repo name**: ${project.name}`,
    ...(commands.length === 0 ? [] : ['', '### Project Commands', '', ...commands]),
  ].join('\n');
}

export function revisionPrompt(source: string, cycle: number, categories: readonly Category[]): string {
  const found = categories.map(({ category, verdict, detail }) => `- **${category}** (${verdict}): ${detail ?? ''}`);
  return [`## REVISION CONTEXT — ${source} found fixable issues (cycle ${cycle})`, '', ...found, '', ''].join('\n');
}

export const retryPrompt = (failureClass: string, error: string): string =>
  [
    '## RETRY CONTEXT — Previous attempt failed',
    '',
    `**Failure class:** ${failureClass}`,
    `**Error:** ${error}`,
    '',
    '',
  ].join('\n');
