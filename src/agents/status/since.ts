import type { JournalEntry } from '../journal/schema.ts';
import { phaseLog } from './phase-log.ts';

/** What happened in a stretch of time, on one page. */
export interface NightReport {
  readonly from: Date;
  readonly to: Date;
  /** Claims, verdicts, proofs and ends of phases, one sentence each with its time. */
  readonly phases: readonly { readonly time: string; readonly text: string }[];
  /** Claims that were turned down. */
  readonly rounds: number;
  readonly heals: readonly { readonly time: string; readonly agent: string; readonly why: string }[];
  readonly limits: readonly { readonly agent: string; readonly minutes: number }[];
  /** Minutes in which an agent needed a person, by agent and what for. */
  readonly needs: readonly { readonly agent: string; readonly what: string; readonly minutes: number }[];
  readonly commits: readonly string[];
  readonly bundles: readonly string[];
}

/** Pure: from the journal alone. Waits that are not over yet are counted until `to`. */
export function reportSince(entries: readonly JournalEntry[], from: Date, to: Date): NightReport {
  const inside = entries.filter(({ time }) => new Date(time) >= from && new Date(time) <= to);
  return {
    from,
    to,
    phases: phaseLog(inside).map(({ time, text }) => ({ time, text })),
    rounds: inside.filter(
      (entry) =>
        (entry.type === 'verdict.seen' && entry.verdict === 'FAIL') ||
        ((entry.type === 'proof.ended' || entry.type === 'landing.ended') && entry.verdict === 'fail'),
    ).length,
    heals: inside.flatMap((entry) =>
      entry.type === 'agent.started' && entry.why.startsWith('heal')
        ? [{ time: entry.time, agent: entry.agent, why: entry.why.replace(/^heal: /, '') }]
        : [],
    ),
    limits: inside.flatMap((entry) =>
      entry.type === 'agent.limited' ? [{ agent: entry.agent, minutes: minutesUntilChange(entries, entry, to) }] : [],
    ),
    needs: inside.flatMap((entry) =>
      entry.type === 'agent.needs'
        ? [{ agent: entry.agent, what: entry.what, minutes: minutesUntilChange(entries, entry, to) }]
        : [],
    ),
    commits: inside.flatMap((entry) => (entry.type === 'phase.ended' ? [entry.commit] : [])),
    bundles: inside.flatMap((entry) => (entry.type === 'proof.ended' && entry.bundle !== null ? [entry.bundle] : [])),
  };
}

const ENDS_A_WAIT = new Set(['agent.recovered', 'agent.stopped', 'agent.died', 'agent.started', 'agent.done']);

function minutesUntilChange(
  entries: readonly JournalEntry[],
  wait: JournalEntry & { readonly agent: string },
  to: Date,
): number {
  const end = entries.find(
    (entry) => entry.seq > wait.seq && ENDS_A_WAIT.has(entry.type) && 'agent' in entry && entry.agent === wait.agent,
  );
  const until = end === undefined ? to : new Date(end.time);
  return Math.round((Math.min(until.getTime(), to.getTime()) - new Date(wait.time).getTime()) / 60_000);
}

export function sinceLines(report: NightReport): string[] {
  const { phases, rounds, heals, limits, needs, commits, bundles } = report;
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  return [
    `${report.from.toISOString()} to ${report.to.toISOString()}`,
    `${commits.length} ${commits.length === 1 ? 'phase' : 'phases'} ended, ${rounds} ${rounds === 1 ? 'claim' : 'claims'} turned down, ${heals.length} ${heals.length === 1 ? 'restart' : 'restarts'}, ${bundles.length} ${bundles.length === 1 ? 'bundle' : 'bundles'}`,
    ...list(
      'needed a person',
      needs.map(({ agent, what, minutes }) => `${agent}: ${what}, ${minutes} min`),
    ),
    ...list(
      'phases',
      phases.map(({ time, text }) => `${time}  ${text}`),
    ),
    ...list(
      'restarts',
      heals.map(({ time, agent, why }) => `${time}  ${agent}: ${why}`),
    ),
    ...list(
      'usage limits',
      limits.map(({ agent, minutes }) => `${agent}: ${minutes} min`),
    ),
    ...list('commits', commits),
    ...list('bundles', bundles),
  ];
}
