import * as z from 'zod/mini';
import type { EngineEvent, OwnLog } from '../definition.ts';

/** The fields of Case's event log that Seatrial reads; others are ignored. */
const line = z.object({
  event: z.string(),
  ts: z.optional(z.string()),
  phase: z.optional(z.string()),
  outcome: z.optional(z.string()),
  tool: z.optional(z.string()),
  args: z.optional(z.unknown()),
  failedAgent: z.optional(z.string()),
  result: z.optional(
    z.object({
      summary: z.optional(z.nullable(z.string())),
      error: z.optional(z.nullable(z.string())),
      artifacts: z.optional(z.object({ commit: z.optional(z.nullable(z.string())) })),
    }),
  ),
});
export type CaseEvent = z.infer<typeof line>;

export function readCaseEvent(text: string): CaseEvent | null {
  try {
    return line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The first end of the implementer's phase that was not skipped. Later ends belong to revisions. */
export function implementerEnd(events: Iterable<CaseEvent>): CaseEvent | null {
  for (const event of events) {
    if (event.event === 'phase_end' && event.phase === 'implement' && event.outcome !== 'skipped') return event;
  }
  return null;
}

export function caseLog(attempt: string): OwnLog {
  return {
    dir: `.case/${attempt}/events`,
    read: (text) => {
      const event = readCaseEvent(text);
      if (event === null) return { said: [], done: null };
      const implemented = implementerEnd([event])?.outcome === 'completed';
      return {
        said: engineEvents(event, implemented),
        done: implemented ? (event.result?.artifacts?.commit ?? null) : null,
      };
    },
  };
}

function engineEvents(event: CaseEvent, implemented: boolean): EngineEvent[] {
  const message = (text: string): EngineEvent => ({ type: 'engine.message', data: { text } });
  switch (event.event) {
    case 'phase_start':
      return [message(`${event.phase ?? 'a phase'} began`)];
    case 'phase_end': {
      const commit = event.result?.artifacts?.commit ?? null;
      const summary = event.result?.summary ?? event.result?.error ?? '';
      const end = message(`${event.phase ?? 'a phase'} ${event.outcome ?? 'ended'}`);
      return implemented ? [end, { type: 'engine.claim', data: { commit, text: summary } }] : [end];
    }
    case 'tool_start':
      return [{ type: 'engine.tool', data: { name: event.tool ?? 'a tool', detail: detailOf(event.args) } }];
    case 'pipeline_end':
      return [
        message(
          `pipeline ${event.outcome ?? 'ended'}${event.failedAgent === undefined ? '' : ` at ${event.failedAgent}`}`,
        ),
      ];
    default:
      return [];
  }
}

const detailOf = (args: unknown): string =>
  (typeof args === 'string' ? args : (JSON.stringify(args) ?? '')).slice(0, 500);
