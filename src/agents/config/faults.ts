import { PANES } from '../../engines/pane/list.ts';
import type { TomlPath } from '../../task/toml/toml-positions.ts';
import { resolveModel } from './models.ts';
import { ADVERSARY_ROLE, WATCHDOG } from './project.ts';
import type { AgentEntry, AgentsFile } from './schema.ts';

/** What is wrong in a file whose values have the right types, and where. */
export interface ConfigFault {
  readonly at: TomlPath;
  readonly text: string;
}

/** Every fault that shows only when keys are compared with each other. */
export function crossFaults(file: AgentsFile): readonly ConfigFault[] {
  return [...sessionFaults(file), ...Object.entries(file.agents).flatMap(agentFaultsIn(file)), ...phaseFaults(file)];
}

function sessionFaults({ session_prefix: prefix, agents }: AgentsFile): ConfigFault[] {
  const owners = new Map([[WATCHDOG, WATCHDOG]]);
  return Object.entries(agents).flatMap(([name, agent]): ConfigFault[] => {
    const at = ['agents', name, ...(agent.session === undefined ? [] : ['session'])];
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      return [{ at, text: `agent name ${JSON.stringify(name)} may only contain letters, digits, - and _` }];
    if (name === WATCHDOG) return [{ at, text: `the name ${WATCHDOG} is reserved; choose another` }];
    const session = agent.session ?? name;
    const owner = owners.get(session);
    owners.set(session, owner ?? name);
    if (owner === undefined) return [];
    return [{ at, text: `session ${prefix}${session} of ${name} is also that of ${owner}; set another \`session\`` }];
  });
}

/** Directories beside those of the roles. */
const RESERVED_ROLES: ReadonlySet<string> = new Set(['journal', 'inbox']);

const agentFaultsIn =
  (file: AgentsFile) =>
  ([name, agent]: readonly [string, AgentEntry]): ConfigFault[] => {
    const at = (key: string): TomlPath => ['agents', name, key];
    const only = (key: keyof AgentEntry, kinds: readonly AgentEntry['kind'][]): ConfigFault[] =>
      agent[key] === undefined || kinds.includes(agent.kind)
        ? []
        : [{ at: at(key), text: `${name} is a ${agent.kind}: \`${key}\` is for ${kinds.join(' and ')} agents` }];
    const withProgram = ['persistent', 'loop', 'task'] as const;
    return [
      ...only('role', withProgram),
      ...only('backend', withProgram),
      ...only('model', withProgram),
      ...only('args', withProgram),
      ...only('prompt', ['persistent', 'task']),
      ...only('schedule', ['task']),
      ...(agent.kind === 'service' ? serviceFaults(name, agent) : programFaults(file, name, agent)),
      ...sharedRole(file, name, agent),
      ...(RESERVED_ROLES.has(agent.role ?? '')
        ? [{ at: at('role'), text: `the role ${agent.role} is reserved; choose another` }]
        : []),
    ];
  };

function serviceFaults(name: string, { command }: AgentEntry): ConfigFault[] {
  return command === undefined ? [{ at: ['agents', name], text: `${name} is a service and needs a \`command\`` }] : [];
}

const knownBackends = (): string => [...PANES.keys()].sort().join(', ');

function programFaults(file: AgentsFile, name: string, agent: AgentEntry): ConfigFault[] {
  const table: TomlPath = ['agents', name];
  const backend = agent.backend ?? file.defaults?.backend;
  if (backend === undefined)
    return [
      { at: table, text: `${name} has no backend; set \`backend\` here or in [defaults] to one of ${knownBackends()}` },
    ];
  const pane = PANES.get(backend);
  if (pane === undefined) {
    const at = agent.backend === undefined ? ['defaults', 'backend'] : [...table, 'backend'];
    return [{ at, text: `unknown backend ${JSON.stringify(backend)}; the backends are ${knownBackends()}` }];
  }
  const faults: ConfigFault[] = [];
  if (backend === 'command' && agent.command === undefined)
    faults.push({ at: table, text: `${name} has the backend command and needs a \`command\`` });
  if (backend !== 'command' && agent.command !== undefined)
    faults.push({ at: [...table, 'command'], text: `\`command\` is for services and for the backend command` });
  if (pane.asksModel && modelIsMissing(file, agent))
    faults.push({ at: table, text: `${name} has no model; set \`model\` here or in [defaults]` });
  if (agent.kind === 'loop' && (file.phases ?? []).length === 0)
    faults.push({ at: table, text: `${name} is a loop, and there are no [[phases]] for it to work on` });
  return faults;
}

function modelIsMissing(file: AgentsFile, agent: AgentEntry): boolean {
  const phases = agent.kind === 'loop' && (file.phases ?? []).length > 0 ? (file.phases ?? []) : [null];
  return phases.some(
    (phase) =>
      resolveModel({
        kind: agent.kind,
        role: agent.role ?? null,
        own: agent.model ?? null,
        phase: phase?.models,
        fallback: file.defaults?.model ?? null,
        aliases: {},
      }) === null,
  );
}

function sharedRole(file: AgentsFile, name: string, { role, enabled }: AgentEntry): ConfigFault[] {
  if (role === undefined || enabled === false) return [];
  const first = Object.entries(file.agents).find(([, other]) => other.role === role && other.enabled !== false)?.[0];
  if (first === undefined || first === name) return [];
  return [
    {
      at: ['agents', name, 'role'],
      text: `the role ${role} is played by ${first} already; each role has one enabled agent`,
    },
  ];
}

function phaseFaults({ phases = [], agents }: AgentsFile): ConfigFault[] {
  const roles = new Set(Object.values(agents).flatMap(({ role }) => (role === undefined ? [] : [role])));
  const hasAdversary = Object.values(agents).some(({ role, enabled }) => role === ADVERSARY_ROLE && enabled !== false);
  const loops = Object.values(agents).some(({ kind }) => kind === 'loop');
  return phases.flatMap(({ id, models, proof }, index): ConfigFault[] => {
    const faults: ConfigFault[] = [];
    const first = phases.findIndex((other) => other.id === id);
    if (first !== index)
      faults.push({ at: ['phases', index, 'id'], text: `phase id ${id} is used twice; ids must be unique` });
    if (typeof models === 'object')
      for (const key of Object.keys(models))
        if (!roles.has(key))
          faults.push({
            at: ['phases', index, 'models', key],
            text: `phase ${id} names a model for ${key}, which is no role of an agent here; the roles are ${[...roles].sort().join(', ')}`,
          });
    if (proof === undefined && loops && !hasAdversary)
      faults.push({
        at: ['phases', index],
        text: `phase ${id} has neither a proof nor an enabled adversary to end it; add proof = { test = "…" }`,
      });
    return faults;
  });
}
