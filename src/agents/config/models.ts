import type { Agent, Phase, Project } from './project.ts';
import type { AgentEntry, PhaseEntry } from './schema.ts';

/** A model and where it comes from, for `why` and `up --dry-run`. */
export interface ResolvedModel {
  readonly name: string;
  readonly why: string;
}

interface ModelSources {
  readonly kind: AgentEntry['kind'];
  readonly role: string | null;
  readonly own: string | null;
  readonly phase: PhaseEntry['models'];
  readonly fallback: string | null;
  readonly aliases: Readonly<Record<string, string>>;
}

/** The phase's entry for the role, then the agent's own, then the phase's for all, then the default. Null: none is named. */
export function resolveModel({ kind, role, own, phase, fallback, aliases }: ModelSources): ResolvedModel | null {
  const named = (name: string | null | undefined, why: string): ResolvedModel | null => {
    if (name === null || name === undefined) return null;
    const full = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return { name: full ?? name, why: full === undefined ? why : `${why}, by [models] ${name}` };
  };
  const ofPhase = kind === 'loop' ? phase : undefined;
  const ofRole =
    typeof ofPhase === 'object' && role !== null && Object.hasOwn(ofPhase, role) ? ofPhase[role] : undefined;
  return (
    named(ofRole, `the phase's model for ${role}`) ??
    named(own, "the agent's own") ??
    named(typeof ofPhase === 'string' ? ofPhase : undefined, "the phase's for all loops") ??
    named(fallback, '[defaults]')
  );
}

/** Null: the agent is a service, or its program takes no model. */
export function agentModel(project: Project, agent: Agent, phase: Phase | null): ResolvedModel | null {
  if (agent.backend === null) return null;
  return resolveModel({
    kind: agent.kind,
    role: agent.role,
    own: agent.ownModel,
    phase: phase?.models,
    fallback: project.defaultModel,
    aliases: project.aliases,
  });
}
