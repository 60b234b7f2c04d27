import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../agents/config/load.ts';
import { projectSocket } from '../../agents/host/open.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { commitOf, pinnedCommit } from '../pin/pinned.ts';
import { findClashes, type FleetMember } from './clashes.ts';
import { faultLines, type FleetEntry, type FleetFault, type FleetText } from './load.ts';

export interface FleetCheck {
  readonly projects: number;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Looks at fleet.toml and at every project it names. Writes nothing. */
export async function checkFleet(fleet: FleetText, env: NodeJS.ProcessEnv): Promise<FleetCheck> {
  const found = fleet.entries.map((entry) => ({ entry, ...readMember(entry, env) }));
  const members = found.flatMap(({ member }) => (member === null ? [] : [member]));
  const { faults, warnings } = findClashes(members);
  const pins = await Promise.all(members.map((member) => pinFault(member, env)));
  const absent = found.flatMap(({ warning }) => (warning === null ? [] : [warning]));
  return {
    projects: fleet.entries.length,
    faults: faultLines(fleet.text, [
      ...fleet.faults,
      ...found.flatMap(({ fault }) => (fault === null ? [] : [fault])),
      ...faults,
      ...pins.flatMap((fault) => (fault === null ? [] : [fault])),
    ]),
    warnings: faultLines(fleet.text, [...absent, ...warnings]),
  };
}

interface ReadMember {
  readonly member: FleetMember | null;
  readonly fault: FleetFault | null;
  readonly warning: FleetFault | null;
}

/** A project by path must be there; one by `repo` may wait for `fleet up` to clone it. */
export function readMember(entry: FleetEntry, env: NodeJS.ProcessEnv): ReadMember {
  const { name, dir, repo, index } = entry;
  const at = ['projects', index, repo === null ? 'path' : 'repo'];
  if (!existsSync(join(dir, 'agents.toml'))) {
    if (repo !== null && !existsSync(dir))
      return {
        member: null,
        fault: null,
        warning: { at, text: `${name} is not cloned yet; \`fleet up\` clones it to ${dir}` },
      };
    const what = existsSync(dir) ? `there is no agents.toml in ${dir}` : `there is no directory ${dir}`;
    return { member: null, warning: null, fault: { at, text: `${name}: ${what}` } };
  }
  try {
    const project = loadProject(dir);
    return { member: { entry, project, socket: projectSocket(project, env) }, fault: null, warning: null };
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    return {
      member: null,
      warning: null,
      fault: { at, text: `${name}: ${messageOf(error).replaceAll('\n', '\n  ')}` },
    };
  }
}

async function pinFault({ entry, project }: FleetMember, env: NodeJS.ProcessEnv): Promise<FleetFault | null> {
  const { pin, name, index } = entry;
  if (pin === null) return null;
  const at = ['projects', index, 'pin'];
  const is = await pinnedCommit(project.dir, env);
  if (is === null) return { at, text: `${name} has no Seatrial at engine/, so it cannot be pinned to ${pin}` };
  const wanted = /^[0-9a-f]{40}$/.test(pin) ? pin : await commitOf(join(project.dir, 'engine'), pin, env);
  if (wanted === is) return null;
  const known = wanted === null ? `, and its engine/ does not know ${pin}` : `, not to ${wanted.slice(0, 12)}`;
  return {
    at,
    text: `${name} is pinned to ${is.slice(0, 12)}${known}; check out ${pin} in ${join(project.dir, 'engine')} and commit it, or change \`pin\``,
  };
}
