import type { AgentState, ProjectStatus, StatusRow } from './decide.ts';
import { stateText } from './render.ts';

/** Who needs a person comes first, then what is not as it should be, then the rest. */
const RANK: Readonly<Record<AgentState['kind'], number>> = {
  'needs you': 0,
  failed: 0,
  unknown: 1,
  stalled: 1,
  'backing off': 2,
  'waiting for limit': 2,
  running: 3,
  done: 4,
  stopped: 4,
};

/** One screen of lines: agents by urgency, each with since when and why. Pure. */
export function boardLines({ phase, rows }: ProjectStatus, now: Date): string[] {
  const head =
    phase === null ? 'no phases' : `phase ${phase.id} [${phase.number}/${phase.count}]${phase.done ? ' done' : ''}`;
  const sorted = [...rows].sort((a, b) => RANK[a.state.kind] - RANK[b.state.kind]);
  const urgent = sorted.filter(({ state }) => RANK[state.kind] === 0);
  const rest = sorted.filter(({ state }) => RANK[state.kind] > 0);
  return [
    `${head} · ${now.toISOString().slice(0, 19)}Z`,
    '',
    urgent.length === 0 ? 'no agent needs you' : 'needs you',
    ...urgent.flatMap((row) => [line(row, now), ...row.because.slice(-2).map((why) => `      ${why}`)]),
    '',
    ...rest.map((row) => line(row, now)),
  ];
}

function line({ name, state, since }: StatusRow, now: Date): string {
  return `  ${name.padEnd(16)} ${stateText(state, now).padEnd(32)} ${since === null ? '' : age(now.getTime() - since.getTime())}`.trimEnd();
}

function age(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
