import type { Project } from '../config/project.ts';
import type { JournalEntry } from '../journal/schema.ts';

/** What a person is told, as JSON on the standard input of the command. */
export interface Notice {
  readonly version: 1;
  readonly event: 'needs you' | 'failed' | 'phase ended' | 'all phases done';
  readonly project: string;
  readonly agent: string | null;
  readonly phase: string | null;
  /** One sentence. */
  readonly text: string;
  readonly at: string;
  /** Place of the fact in the journal. */
  readonly seq: number;
}

/** What happened before `notify` was set is no news. */
const NEWS_MS = 60 * 60_000;

/** Pure: the facts that a person is to be told and was not, oldest first. */
export function dueNotices(project: Project, entries: readonly JournalEntry[], now: Date): readonly Notice[] {
  const told = entries.flatMap((entry) => (entry.type === 'notify.sent' ? [entry.about] : []));
  const last = told.length === 0 ? null : Math.max(...told);
  return entries
    .filter(({ seq, time }) => (last === null ? now.getTime() - new Date(time).getTime() < NEWS_MS : seq > last))
    .flatMap((entry) => noticeOf(project, entry) ?? []);
}

function noticeOf({ dir, phases }: Project, entry: JournalEntry): Notice | null {
  const frame = { version: 1, project: dir, at: entry.time, seq: entry.seq } as const;
  switch (entry.type) {
    case 'agent.needs': {
      const { agent, what } = entry;
      return { ...frame, event: 'needs you', agent, phase: null, text: `${agent} needs you: ${what}` };
    }
    case 'agent.failed': {
      const { agent, why } = entry;
      return { ...frame, event: 'failed', agent, phase: null, text: `${agent} failed: ${why}` };
    }
    case 'phase.needs': {
      const { phase, what } = entry;
      return { ...frame, event: 'needs you', agent: null, phase, text: `phase ${phase} needs you: ${what}` };
    }
    case 'phase.ended': {
      const { phase, outcome, index } = entry;
      const ended = `phase ${phase} is ${outcome}`;
      return index + 1 === phases.length
        ? { ...frame, event: 'all phases done', agent: null, phase, text: `${ended}; all phases are done` }
        : { ...frame, event: 'phase ended', agent: null, phase, text: ended };
    }
    default:
      return null;
  }
}
