import { REASONS } from '../evidence/reasons/catalogue.ts';
import type { ReasonCatalogue } from '../evidence/reasons/reason.ts';
import type { EngineFields } from '../evidence/report/reduce.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { acpDefinition } from './acp/index.ts';
import type { AcpProfiles } from './acp/profile.ts';
import { ACP_PROFILES } from './acp/profiles.ts';
import { caseDefinition } from './case/index.ts';
import { claudeDefinition } from './claude/index.ts';
import { codexDefinition } from './codex/index.ts';
import { commandDefinition } from './command/index.ts';
import type { Engine, EngineDefinition, EngineOptions } from './definition.ts';
import { fakeDefinition } from './fake/index.ts';
import { geminiDefinition } from './gemini/index.ts';
import { opencodeDefinition } from './opencode/index.ts';
import { piDefinition } from './pi/index.ts';
import { qwenDefinition } from './qwen/index.ts';

const ACP_AGENTS = definitionsOf(ACP_PROFILES);

/** The agents that people install. */
const AGENTS = [
  claudeDefinition,
  codexDefinition,
  geminiDefinition,
  opencodeDefinition,
  piDefinition,
  qwenDefinition,
  ...ACP_AGENTS,
];

/** Every engine that ships with Seatrial. */
export const ENGINES: readonly EngineDefinition[] = [fakeDefinition, commandDefinition, ...AGENTS, caseDefinition];

/** Those, and the agents that profiles of the user describe. There is no other way to run one. */
export function enginesWith(profiles: AcpProfiles): readonly EngineDefinition[] {
  return [...ENGINES, ...definitionsOf(profiles)];
}

function definitionsOf(profiles: AcpProfiles): readonly EngineDefinition[] {
  return Object.entries(profiles).map(([name, profile]) => acpDefinition(name, profile));
}

export const ENGINE_NAMES: readonly string[] = ENGINES.map(({ name }) => name);

/** Those that a candidate for the default is compared with. */
export const COMPARED_AT_TOP: readonly string[] = [fakeDefinition, codexDefinition, piDefinition].map(
  ({ name }) => name,
);

/** As a help text names them. */
export const ENGINE_FORMS: readonly string[] = [
  ...ENGINES.filter((engine) => !ACP_AGENTS.includes(engine)).map(({ name }) => name),
  'acp:<profile>',
];

/** Every reason that a run can have: those of the harness and of every engine. */
export const ALL_REASONS: ReasonCatalogue = Object.fromEntries(
  [REASONS, ...ENGINES.map(({ reasons }) => reasons)].flatMap((reasons) => Object.entries(reasons)),
);

export function engineNamed(name: string, profiles: AcpProfiles = {}): EngineDefinition | null {
  return enginesWith(profiles).find((engine) => engine.name === name) ?? null;
}

/** Throws a usage error that lists the engines. */
export function knownEngine(name: string, profiles: AcpProfiles): EngineDefinition {
  const definition = engineNamed(name, profiles);
  if (definition !== null) return definition;
  const names = enginesWith(profiles).map((engine) => engine.name);
  throw new SeatrialError('usage', `unknown engine ${JSON.stringify(name)}; the engines are ${names.join(', ')}`);
}

export function reportFieldsOf(engine: string): EngineFields | undefined {
  return engineNamed(engine)?.reportFields;
}

/** What the caller asks of the engine's model. */
interface ModelFlags {
  readonly model?: string | undefined;
  /** Budgets by the name of their flag. */
  readonly budgets?: Readonly<Record<string, number | undefined>>;
}

/**
 * Throws a usage error for an unknown engine, a wrong option, an option of another engine, or a flag for a model that it does not ask:
 * one without effect would hide a mistake.
 */
export function chooseEngine(
  name: string,
  options: EngineOptions = {},
  flags: ModelFlags = {},
  profiles: AcpProfiles = {},
): Engine {
  const definition = knownEngine(name, profiles);
  for (const other of ENGINES)
    for (const option of other.headless.options)
      if (other !== definition && options[option.name] !== undefined)
        throw new SeatrialError('usage', `--${option.name} requires --engine ${other.name}`);
  refuseModelFlags(definition, flags);
  return definition.headless.configure(options);
}

function refuseModelFlags({ name, policy: { model: source } }: EngineDefinition, { model, budgets }: ModelFlags): void {
  if (model !== undefined && source?.from !== 'flag')
    throw new SeatrialError(
      'usage',
      source === null
        ? `${name} asks no model; leave out --model, or choose another --engine`
        : `the model of ${name} is named by ${source.provider} and ${source.name}, not by --model`,
    );
  const named = Object.entries(budgets ?? {}).find(([, value]) => value !== undefined)?.[0];
  if (named !== undefined && source === null)
    throw new SeatrialError('usage', `${name} asks no model, so ${named} has no effect; leave it out`);
}
