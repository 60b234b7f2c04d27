import { type Project, watchdogSession } from '../../agents/config/project.ts';
import type { FleetEntry, FleetFault } from './load.ts';

/** A project of a fleet that could be read. */
export interface FleetMember {
  readonly entry: FleetEntry;
  readonly project: Project;
  /** Path of its tmux socket. */
  readonly socket: string;
}

export interface Clashes {
  readonly faults: readonly FleetFault[];
  /** Only enabled projects can clash in fact; a disabled one is named so that nobody enables it unawares. */
  readonly warnings: readonly FleetFault[];
}

/** What two projects cannot both have: directory, prefix, session names, log_dir. Pure. */
export function findClashes(members: readonly FleetMember[]): Clashes {
  const faults: FleetFault[] = [];
  const warnings: FleetFault[] = [];
  members.forEach((member, position) => {
    for (const other of members.slice(0, position)) {
      const clash = clashOf(other, member);
      if (clash === null) continue;
      const { key, text } = clash;
      const at = ['projects', member.entry.index, ...(key === 'path' && member.entry.repo === null ? ['path'] : [])];
      if (key === 'path') faults.push({ at, text });
      else if (member.entry.enabled && other.entry.enabled)
        faults.push({ at, text: `${text}; set \`enabled = false\` for one of them, or change its agents.toml` });
      else warnings.push({ at, text: `${text}; they must never be enabled together` });
    }
  });
  return { faults, warnings };
}

interface Clash {
  readonly key: 'path' | 'other';
  readonly text: string;
}

/** The most telling one: a shared prefix is not listed again as shared session names. */
function clashOf(a: FleetMember, b: FleetMember): Clash | null {
  const both = `${b.entry.name} and ${a.entry.name}`;
  if (a.project.dir === b.project.dir) return { key: 'path', text: `${both} are the same project ${a.project.dir}` };
  const shared: string[] = [];
  if (a.project.logDir === b.project.logDir) shared.push(`log_dir ${a.project.logDir}`);
  if (a.socket === b.socket) {
    if (a.project.prefix === b.project.prefix) shared.push(`session_prefix ${JSON.stringify(a.project.prefix)}`);
    else {
      const names = new Set(sessionNames(a.project));
      const doubled = sessionNames(b.project).filter((name) => names.has(name));
      if (doubled.length > 0) shared.push(`the session name${doubled.length === 1 ? '' : 's'} ${doubled.join(', ')}`);
    }
  }
  return shared.length === 0 ? null : { key: 'other', text: `${both} share ${shared.join(' and ')}` };
}

const sessionNames = (project: Project): string[] => [
  ...project.agents.map(({ session }) => session),
  watchdogSession(project),
];
