import type { RunEvent } from '../schema/events.ts';

const ENDS: ReadonlySet<string> = new Set(['backend.exited', 'backend.timeout', 'backend.completed_by_harness']);

/** How long the engine ran, without the harness's own work before and after it. Null: it did not start, or nothing says when it ended. */
export function engineMs(events: readonly RunEvent[]): number | null {
  const started = events.find(({ type }) => type === 'backend.started');
  const ended = events.findLast(({ type }) => ENDS.has(type));
  return started === undefined || ended === undefined ? null : Math.max(0, ended.mono_ms - started.mono_ms);
}
