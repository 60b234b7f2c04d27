import type { JournalEntry } from '../journal/schema.ts';

export interface LogLine {
  readonly time: string;
  readonly phase: string;
  readonly text: string;
}

const short = (commit: string): string => commit.slice(0, 12);

/** What happened in the phases, one line a fact. */
export function phaseLog(entries: readonly JournalEntry[]): readonly LogLine[] {
  return entries.flatMap((entry): LogLine[] => {
    const text = sentence(entry);
    if (text === null || !('phase' in entry) || entry.phase === null) return [];
    return [{ time: entry.time, phase: entry.phase, text: `${entry.phase}: ${text}` }];
  });
}

function sentence(entry: JournalEntry): string | null {
  switch (entry.type) {
    case 'phase.began':
      return `began${entry.base === null ? '' : ` at ${short(entry.base)}`}`;
    case 'claim.seen':
      return `claim ${short(entry.commit)}`;
    case 'claim.refused':
      return `claim ${short(entry.claim)} refused: ${entry.why}`;
    case 'verdict.seen':
      return `verdict ${entry.verdict} on ${short(entry.commit)}`;
    case 'proof.started':
      return `proof ${entry.attempt} of ${short(entry.commit)} begun`;
    case 'proof.ended':
      return `proof of ${short(entry.commit)}: ${entry.verdict}${entry.reason === null ? '' : ` (${entry.reason})`}${entry.bundle === null ? '' : `, bundle ${entry.bundle}`}`;
    case 'landing.started':
      return `landing ${entry.attempt} of ${short(entry.commit)} begun`;
    case 'landing.ended':
      return entry.verdict === 'landed'
        ? `landed ${short(entry.commit)}${entry.landed === null ? '' : ` as ${short(entry.landed)}`}`
        : `landing of ${short(entry.commit)}: ${entry.verdict}${entry.reason === null ? '' : ` (${entry.reason})`}`;
    case 'phase.needs':
      return `needs you: ${entry.what}`;
    case 'phase.ended':
      return `ended: ${entry.outcome} with ${short(entry.commit)}`;
    default:
      return null;
  }
}
