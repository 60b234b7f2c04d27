import type { EventType, RunEvent } from '../../schema/events.ts';
import { headAndTail } from './text/bounds.ts';
import { describeEvent, isClaim } from './describe-event.ts';
import { type TimelineEntry, type TimelineStep, type Words, quote } from './document.ts';
import { type Line, foldEvents } from './fold-events.ts';
import { momentOfRun } from './text/words.ts';

const STEP_OF: Readonly<Record<EventType, string>> = {
  'run.started': 'contract',
  'task.contract.created': 'contract',
  'candidate.described': 'checks',
  'sandbox.described': 'checks',
  'targets.inspected': 'checks',
  'repository_settings.checked': 'checks',
  'gate.checked': 'checks',
  'protected_roots.checked': 'engine',
  'marker.written': 'engine',
  'usage.counted': 'engine',
  'blocker.raised': 'verdict',
  'provision.completed': 'provision',
  'plan.updated': 'plan',
  'backend.started': 'engine',
  'backend.exited': 'engine',
  'backend.timeout': 'engine',
  'backend.completed_by_harness': 'engine',
  'provider.unavailable': 'engine',
  'model.request': 'engine',
  'model.refused': 'engine',
  'engine.message': 'engine',
  'engine.tool': 'engine',
  'engine.tool_result': 'engine',
  'engine.edit': 'engine',
  'engine.session': 'engine',
  'engine.usage': 'engine',
  'engine.claim': 'engine',
  'patch.applied': 'diff',
  'git.diff.checked': 'diff',
  'review.completed': 'review, approvals',
  'approval.requested': 'review, approvals',
  'approval.granted': 'review, approvals',
  'approval.denied': 'review, approvals',
  'verification.completed': 'judge',
  'base.recorded': 'control',
  'change.judged': 'judge',
  'baseline.completed': 'control',
  'secrets.masked': 'seal',
  'run.completed': 'verdict',
};

/** Facts that other sections of the report show. */
const SHOWN_ELSEWHERE: ReadonlySet<EventType> = new Set([
  'candidate.described',
  'sandbox.described',
  'targets.inspected',
  'repository_settings.checked',
  'protected_roots.checked',
  'marker.written',
  'usage.counted',
  'blocker.raised',
]);

/** Events grouped by the step they end; the first event of the run is time zero. */
export function timelineSteps(all: readonly RunEvent[], limit: number): readonly TimelineStep[] {
  const events = all.filter(({ type }) => !SHOWN_ELSEWHERE.has(type));
  const zero = events[0]?.mono_ms ?? 0;
  const since = (event: RunEvent): number => Math.max(0, event.mono_ms - zero);
  const lines = foldEvents(events, stepsIn(events));
  const shown = shownLines(lines, limit);
  const groups: { name: string; toMs: number; entries: TimelineEntry[]; leftOut: number }[] = [];
  for (const line of lines) {
    const { step: name, first, last } = line;
    const isShown = shown.has(line);
    let group = groups.at(-1);
    if (group === undefined || (isShown && group.name !== name)) {
      group = { name, toMs: 0, entries: [], leftOut: 0 };
      groups.push(group);
    }
    group.toMs = Math.max(group.toMs, since(last));
    const text = describeLine(line, since(last));
    if (isShown) group.entries.push({ atMs: since(first), type: first.type, claim: isClaim(first), text });
    else group.leftOut += line.events.length;
  }
  let fromMs = 0;
  return groups.map((group) => {
    const step = { ...group, fromMs, toMs: Math.max(fromMs, group.toMs) };
    fromMs = step.toMs;
    return step;
  });
}

/**
 * What is asked of a model before the engine starts is a check's question. The harness writes down its own plan when an engine has ended
 * without one, and compares with the base when the judge is done: the time up to there is the engine's, and the judge's.
 */
function stepsIn(events: readonly RunEvent[]): (event: RunEvent) => string {
  const start = events.find(({ type }) => type === 'backend.started')?.mono_ms ?? Infinity;
  const hasRecord = events.some(({ type }) => type === 'base.recorded');
  return (event) => {
    if (event.source === 'engine') return 'engine';
    if (event.type === 'plan.updated' && event.mono_ms >= start) return 'engine';
    if (event.type === 'baseline.completed' && hasRecord) return 'judge';
    const ofModel = event.type === 'model.request' || event.type === 'provider.unavailable';
    return ofModel && event.mono_ms < start ? 'checks' : STEP_OF[event.type];
  };
}

function describeLine({ first, events }: Line, lastMs: number): Words {
  if (events.length === 1) return describeEvent(first);
  if (first.type !== 'gate.checked')
    return [...describeEvent(first), `; ${events.length} times, the last at ${momentOfRun(lastMs)}`];
  const gates = events.flatMap((event) => (event.type === 'gate.checked' ? [event.data.gate] : []));
  return [`${events.length} checks passed: `, quote(gates.join(', '))];
}

/** The harness's own record comes first; an engine that talks much cannot push it out. */
function shownLines(lines: readonly Line[], limit: number): ReadonlySet<Line> {
  const take = (from: readonly Line[], room: number): readonly Line[] => {
    const { head, tail } = headAndTail(from, Math.max(0, room));
    return [...head, ...tail];
  };
  const claimed = ({ first }: Line): boolean => isClaim(first);
  const own = take(
    lines.filter((line) => !claimed(line)),
    limit,
  );
  return new Set([...own, ...take(lines.filter(claimed), limit - own.length)]);
}
