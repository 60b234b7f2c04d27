import { agentModel } from '../../agents/config/models.ts';
import type { Agent, Phase, Project } from '../../agents/config/project.ts';
import { renderKickoff } from '../../agents/kickoff/render.ts';
import { canonicalJson } from '../../kernel/canonical.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { compareTexts, different, type Finding, notComparable, same } from './finding.ts';

/** Agents, models, phases and every kickoff of two projects. Reads prompts and writes nothing. */
export function compareProjects(live: Project, staged: Project): readonly Finding[] {
  return [
    compareAgents(live, staged),
    compareModels(live, staged),
    comparePhases(live, staged),
    ...kickoffs(live, staged),
  ];
}

/** The staged project as it will be once it has taken over the state of the live one. */
export const takenOver = (live: { readonly logDir: string }, staged: Project): Project => ({
  ...staged,
  logDir: live.logDir,
});

function compareAgents(live: Project, staged: Project): Finding {
  const lines = [
    ...orderDifference(
      'agents',
      live.agents.map(({ name }) => name),
      staged.agents.map(({ name }) => name),
    ),
    ...live.agents.flatMap((agent) => {
      const other = staged.agents.find(({ name }) => name === agent.name);
      return other === undefined
        ? []
        : fieldDifferences(`agent ${agent.name}`, fieldsOf(live, agent), fieldsOf(staged, other));
    }),
  ];
  return lines.length === 0 ? same('agents') : different('agents', ...lines);
}

/** Models are compared as they come out, below; names of sessions without the prefix. */
function fieldsOf(
  { prefix }: Project,
  { name: _name, ownModel: _model, session, ...rest }: Agent,
): Record<string, unknown> {
  return { ...rest, session: session.slice(prefix.length) };
}

function compareModels(live: Project, staged: Project): Finding {
  const lines = live.agents.flatMap((agent) => {
    const other = staged.agents.find(({ name }) => name === agent.name);
    if (other === undefined) return [];
    const phases: readonly (Phase | null)[] = agent.kind === 'loop' && live.phases.length > 0 ? live.phases : [null];
    return phases.flatMap((phase) => {
      const twin = phase === null ? null : staged.phases.find(({ id }) => id === phase.id);
      if (twin === undefined) return [];
      const was = agentModel(live, agent, phase)?.name ?? '-';
      const is = agentModel(staged, other, twin)?.name ?? '-';
      return was === is ? [] : [`${agent.name}${phase === null ? '' : ` in phase ${phase.id}`}: ${was}, staged ${is}`];
    });
  });
  return lines.length === 0 ? same('models') : different('models', ...lines);
}

function comparePhases(live: Project, staged: Project): Finding {
  const lines = [
    ...orderDifference(
      'phases',
      live.phases.map(({ id }) => id),
      staged.phases.map(({ id }) => id),
    ),
    ...live.phases.flatMap((phase) => {
      const other = staged.phases.find(({ id }) => id === phase.id);
      return other === undefined ? [] : fieldDifferences(`phase ${phase.id}`, { ...phase }, { ...other });
    }),
  ];
  return lines.length === 0 ? same('phases') : different('phases', ...lines);
}

function kickoffs(live: Project, staged: Project): Finding[] {
  const later = takenOver(live, staged);
  return live.agents.flatMap((agent) => {
    const other = later.agents.find(({ name }) => name === agent.name);
    if (other === undefined) return [];
    const phases: readonly (Phase | null)[] = agent.kind === 'loop' ? live.phases : agent.prompt === null ? [] : [null];
    return phases.map((phase) => {
      const what = `kickoff of ${agent.name}${phase === null ? '' : ` in phase ${phase.id}`}`;
      const twin = phase === null ? null : later.phases.find(({ id }) => id === phase.id);
      if (twin === undefined) return notComparable(what, 'the staged project has no such phase');
      try {
        return compareTexts(what, kickoffText(live, agent, phase), kickoffText(later, other, twin));
      } catch (error) {
        if (error instanceof SeatrialError) return different(what, messageOf(error));
        throw error;
      }
    });
  });
}

/** Without the base, which only a phase that has begun has. */
export const kickoffText = (project: Project, agent: Agent, phase: Phase | null, base: string | null = null): string =>
  renderKickoff(project, agent, phase, base) ?? '';

function orderDifference(what: string, live: readonly string[], staged: readonly string[]): string[] {
  const missing = live.filter((name) => !staged.includes(name));
  const added = staged.filter((name) => !live.includes(name));
  const lines = [
    ...missing.map((name) => `${name} is missing in the staged project`),
    ...added.map((name) => `${name} is only in the staged project`),
  ];
  if (lines.length > 0 || live.join(' ') === staged.join(' ')) return lines;
  return [`${what} are in another order: ${live.join(', ')}; staged ${staged.join(', ')}`];
}

function fieldDifferences(what: string, live: Record<string, unknown>, staged: Record<string, unknown>): string[] {
  return Object.keys(live).flatMap((key) => {
    const [was, is] = [text(live[key]), text(staged[key])];
    return was === is ? [] : [`${what}: ${key} ${was}, staged ${is}`];
  });
}

const text = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : canonicalJson(value);
