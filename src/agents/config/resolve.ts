import { resolve } from 'node:path';
import { type Agent, DEFAULT_LOG_DIR, type Phase, type Project, type Watch } from './project.ts';
import type { AgentEntry, AgentsFile } from './schema.ts';

const STALL_AFTER_MS = 10 * 60_000;
const MAX_RESUMES = 5;
const MAX_ROUNDS = 5;

const WATCH_BY_KIND: Readonly<Record<AgentEntry['kind'], Watch>> = {
  loop: 'heal+stall',
  persistent: 'heal',
  task: 'none',
  service: 'heal',
};

interface Place {
  readonly dir: string;
  readonly id: string;
  readonly fileSha256: string;
  readonly repo: string;
}

/** A file without faults, with every default filled in. */
export function projectOf(file: AgentsFile, { dir, id, fileSha256, repo }: Place): Project {
  const at = (path: string): string => resolve(dir, path);
  return {
    dir,
    id,
    file: at('agents.toml'),
    fileSha256,
    prefix: file.session_prefix,
    logDir: at(file.log_dir ?? DEFAULT_LOG_DIR),
    repo,
    kickoffFile: file.kickoff === undefined ? null : at(file.kickoff),
    rolesDir: file.roles_dir === undefined ? null : at(file.roles_dir),
    tmuxSocket: file.tmux_socket ?? null,
    notify: file.notify ?? null,
    maxRounds: file.max_rounds ?? MAX_ROUNDS,
    defaultModel: file.defaults?.model ?? null,
    aliases: file.models ?? {},
    phases: (file.phases ?? []).map(({ id: phaseId, plan, models, proof }): Phase => ({
      id: phaseId,
      plan,
      models,
      proof: proof ?? null,
    })),
    agents: Object.entries(file.agents).map(([name, entry]) => agentOf(name, entry, file, at)),
  };
}

function agentOf(name: string, entry: AgentEntry, file: AgentsFile, at: (path: string) => string): Agent {
  const { kind } = entry;
  const defaults = file.defaults ?? {};
  return {
    name,
    kind,
    role: entry.role ?? null,
    session: `${file.session_prefix}${entry.session ?? name}`,
    backend: kind === 'service' ? null : (entry.backend ?? defaults.backend ?? null),
    ownModel: entry.model ?? null,
    watch:
      entry.watch ?? (kind === 'loop' || kind === 'persistent' ? defaults.watch : undefined) ?? WATCH_BY_KIND[kind],
    enabled: entry.enabled ?? true,
    dir: entry.dir === undefined ? null : at(entry.dir),
    env: entry.env ?? [],
    prompt: entry.prompt ?? null,
    scheduleMs: entry.schedule === undefined ? null : durationMs(entry.schedule),
    command: entry.command ?? null,
    args: entry.args ?? [],
    stallAfterMs: durationMs(entry.stall_after ?? defaults.stall_after) ?? STALL_AFTER_MS,
    resume: entry.resume ?? defaults.resume ?? 'auto',
    maxResumes: entry.max_resumes ?? defaults.max_resumes ?? MAX_RESUMES,
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m`, `2h`. */
function durationMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  return Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0);
}
