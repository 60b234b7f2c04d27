import type { EventType, RunEvent } from '../schema/events.ts';
import { headAndTail } from './bounds.ts';
import { describeEvent, isClaim } from './describe-event.ts';
import type { TimelineEntry, TimelineStep } from './document.ts';

const STEP_OF: Readonly<Record<EventType, string>> = {
  'run.started': 'contract',
  'task.contract.created': 'contract',
  'gate.checked': 'checks',
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
  'engine.claim': 'engine',
  'patch.applied': 'diff',
  'git.diff.checked': 'diff',
  'review.completed': 'review, approvals',
  'approval.requested': 'review, approvals',
  'approval.granted': 'review, approvals',
  'approval.denied': 'review, approvals',
  'verification.completed': 'judge',
  'baseline.completed': 'control',
  'secrets.masked': 'seal',
  'run.completed': 'verdict',
};

/** Events grouped by the step they end; the first event of the run is time zero. */
export function timelineSteps(events: readonly RunEvent[], limit: number): readonly TimelineStep[] {
  const zero = events[0]?.mono_ms ?? 0;
  const shown = shownEvents(events, limit);
  const groups: { name: string; toMs: number; entries: TimelineEntry[]; leftOut: number }[] = [];
  for (const event of events) {
    const atMs = Math.max(0, event.mono_ms - zero);
    const name = event.source === 'engine' ? 'engine' : STEP_OF[event.type];
    const isShown = shown.has(event);
    let group = groups.at(-1);
    if (group === undefined || (isShown && group.name !== name)) {
      group = { name, toMs: 0, entries: [], leftOut: 0 };
      groups.push(group);
    }
    group.toMs = Math.max(group.toMs, atMs);
    if (isShown) group.entries.push({ atMs, type: event.type, claim: isClaim(event), text: describeEvent(event) });
    else group.leftOut += 1;
  }
  let fromMs = 0;
  return groups.map((group) => {
    const step = { ...group, fromMs, toMs: Math.max(fromMs, group.toMs) };
    fromMs = step.toMs;
    return step;
  });
}

/** The harness's own record comes first; an engine that talks much cannot push it out. */
function shownEvents(events: readonly RunEvent[], limit: number): ReadonlySet<RunEvent> {
  const take = (from: readonly RunEvent[], room: number): readonly RunEvent[] => {
    const { head, tail } = headAndTail(from, Math.max(0, room));
    return [...head, ...tail];
  };
  const own = take(
    events.filter((event) => !isClaim(event)),
    limit,
  );
  return new Set([...own, ...take(events.filter(isClaim), limit - own.length)]);
}
