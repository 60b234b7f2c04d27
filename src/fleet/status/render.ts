import type { StatusRow } from '../../agents/status/decide.ts';
import { stateText, statusJson } from '../../agents/status/render.ts';
import { WATCHDOG } from '../../agents/config/project.ts';
import type { FleetRow } from './gather.ts';

export const FLEET_HEAD = ['PROJECT', 'PHASE', 'RUNNING', 'WATCHDOG', 'NOTES'];

/** A row of the fleet's table: the agents that `up` starts, and whatever needs a person. */
export function fleetCells({ entry, status, problem }: FleetRow, now: Date): string[] {
  const disabled = entry.enabled ? [] : ['disabled'];
  if (status === null) return [entry.name, '-', '-', '-', [...disabled, firstLine(problem ?? '')].join('; ')];
  const { phase, rows } = status;
  const agents = rows.filter(({ name, enabled, kind }) => name !== WATCHDOG && enabled && kind !== 'task');
  const running = agents.filter(({ state }) => state.kind === 'running').length;
  const watchdog = rows.find(({ name }) => name === WATCHDOG);
  const notes = rows.filter(needsMention).map(({ name, state }) => `${name} ${stateText(state, now)}`);
  return [
    entry.name,
    phase === null ? '-' : `${phase.id} [${phase.number}/${phase.count}]${phase.done ? ' done' : ''}`,
    `${running}/${agents.length}`,
    watchdog === undefined ? '-' : stateText(watchdog.state, now),
    [...disabled, ...(problem === null ? notes : [problem])].join('; '),
  ];
}

function needsMention({ state, name }: StatusRow): boolean {
  return name !== WATCHDOG && !['running', 'stopped', 'done'].includes(state.kind);
}

const firstLine = (text: string): string =>
  text
    .split('\n')
    .slice(0, 2)
    .map((line) => line.trim())
    .join(' ');

/** One element of `fleet status --json`. */
export function fleetJson({ entry, status, problem }: FleetRow, now: Date): object {
  const { name, dir, enabled, repo, pin } = entry;
  return {
    name,
    path: dir,
    enabled,
    ...(repo === null ? {} : { repo }),
    ...(pin === null ? {} : { pin }),
    problem,
    ...(status === null ? {} : statusJson(status, now)),
  };
}
