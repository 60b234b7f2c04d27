import { allRefusals } from '../../../admission/decide.ts';
import type { RefusedCheck } from '../../../admission/checks/check.ts';
import { gatherAdmissionFacts } from '../../../admission/gather.ts';
import { fakeDefinition } from '../../../engines/fake/index.ts';
import { engineNamed, enginesWith } from '../../../engines/list.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { callerOf } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { askLine } from '../../terminal/ask-person.ts';
import { ASKED_ON_FIRST_USE } from './first-use.ts';

/** An agent on this machine. */
interface InstalledAgentState {
  readonly name: string;
  /** Null: it is ready. */
  readonly missing: string | null;
}

/** Refuses a name with which nothing can be done on a repository, naming what can. */
export function requireAgent(name: string): void {
  const { acpProfiles } = readSettings(process.cwd());
  // The fake needs a task with a solution.
  const names = enginesWith(acpProfiles).flatMap((engine) => (engine === fakeDefinition ? [] : [engine.name]));
  if (names.includes(name)) return;
  const what =
    engineNamed(name, acpProfiles) === null
      ? `there is no engine ${JSON.stringify(name)}`
      : `${name} works on tasks only`;
  throw new SeatrialError(
    'usage',
    `${what}; with --repo, --engine is one of ${names.join(', ')}: \`seatrial doctor\` says which are ready`,
  );
}

/** A person with a repository has an agent of their own in mind: one of the installed ones, or a command. */
export async function chooseAgent(): Promise<string> {
  const agents = findAgents();
  if (process.stdin.isTTY && process.stderr.isTTY)
    for (const line of menu(agents)) process.stderr.write(`${safeLine(line)}\n`);
  const [first] = agents;
  const answer = await askLine(first === undefined ? 'Which agent? ' : `Which agent? [${first.name}] `);
  if (answer === null || (answer === '' && first === undefined))
    throw new SeatrialError(
      'usage',
      `name the agent with --engine (${summary(agents)}), or give a command: --engine command -- <program>; \`seatrial doctor\` says which are ready`,
    );
  const chosen = agents[Number(answer) - 1]?.name ?? (answer === '' ? (first?.name ?? '') : answer);
  requireAgent(chosen);
  return chosen;
}

/** Those that are ready first. */
function findAgents(): readonly InstalledAgentState[] {
  const settings = readSettings(process.cwd());
  const caller = callerOf(settings);
  const found = enginesWith(settings.acpProfiles).flatMap(({ name, policy }): readonly InstalledAgentState[] => {
    if (policy.executable?.from !== 'path') return [];
    const facts = gatherAdmissionFacts(name, caller);
    if (facts.executable.state === 'not named') return [];
    const [refusal] = allRefusals(facts);
    return [{ name, missing: refusal === undefined ? null : missingText(refusal) }];
  });
  return found.toSorted((a, b) => Number(a.missing !== null) - Number(b.missing !== null));
}

/** What a first run asks for is no obstacle. */
function missingText({ reason, detail }: RefusedCheck): string {
  return ASKED_ON_FIRST_USE.has(reason.code) ? 'you will be asked whether it may run' : detail;
}

function menu(agents: readonly InstalledAgentState[]): readonly string[] {
  if (agents.length === 0)
    return ['No agent that Seatrial knows is installed; `seatrial doctor` shows how to install one.'];
  const width = Math.max(...agents.map(({ name }) => name.length));
  return agents.map(
    ({ name, missing }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${missing === null ? 'ready' : missing}`,
  );
}

function summary(agents: readonly InstalledAgentState[]): string {
  const ready = agents.flatMap(({ name, missing }) => (missing === null ? [name] : []));
  const others = agents.flatMap(({ name, missing }) => (missing === null ? [] : [name]));
  if (agents.length === 0) return 'no agent that Seatrial knows is installed';
  return [
    ...(ready.length === 0 ? [] : [`ready: ${ready.join(', ')}`]),
    ...(others.length === 0 ? [] : [`installed: ${others.join(', ')}`]),
  ].join('; ');
}
