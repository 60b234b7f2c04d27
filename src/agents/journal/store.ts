import { join } from 'node:path';
import { appendLinks, type ChainFile } from '../../evidence/log/chain-file.ts';
import { schemaFault } from '../../evidence/schema/parts.ts';
import { makeDirs, writeSynced } from '../../evidence/storage/durable.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { checkJournalLines, type JournalPosition, JournalReader } from './reader.ts';
import { type JournalFact, type JournalEntry, journalEntry } from './schema.ts';

/** What happened in a project, and in which order. The writer alone sets place and time. */
export interface Journal {
  /** Every fact so far. A half-written last line is left out; any other damage throws. Writes nothing. */
  read(): readonly JournalEntry[];
  /** Where that ended. */
  position(): JournalPosition;
  /** Appends facts in order, under the lock, fsynced on return. */
  append(...facts: readonly JournalFact[]): Promise<readonly JournalEntry[]>;
  /** Appends what `decide` makes of all facts so far, which no other writer can change in between. */
  transact(decide: (entries: readonly JournalEntry[]) => readonly JournalFact[]): Promise<readonly JournalEntry[]>;
}

export function openJournal(stateDir: string, clock: Clock): Journal {
  const file: ChainFile<JournalEntry> = {
    path: join(stateDir, 'journal.jsonl'),
    decode: decodeEntry,
    onDamage: 'move it away to start anew, and keep it as evidence',
  };
  const reader = new JournalReader(file.path, decodeEntry);
  const write = (facts: readonly JournalFact[]): readonly JournalEntry[] =>
    facts.length === 0
      ? []
      : appendLinks(file, clock, facts.map(withVersion), (torn) => withVersion(keepTorn(stateDir, torn)));
  const locked = <T>(work: () => T): Promise<T> => {
    makeDirs(stateDir);
    return withLock(join(stateDir, '.journal.lock'), work);
  };
  return {
    read: () => reader.read(),
    position: () => reader.position(),
    append: (...facts) => locked(() => write(facts)),
    transact: (decide) => locked(() => write(decide(reader.read()))),
  };
}

/** The facts in `bytes`, which follow a known part of the journal. The same damage throws as for `read`. */
export function readLater(path: string, bytes: Buffer, after: JournalPosition): readonly JournalEntry[] {
  return checkJournalLines(path, bytes, decodeEntry, after).entries;
}

const withVersion = (fact: JournalFact) => ({ version: 1 as const, ...fact });

function decodeEntry(value: unknown): JournalEntry {
  const parsed = journalEntry.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}

function keepTorn(stateDir: string, torn: Buffer): JournalFact {
  const digest = sha256(torn);
  const file = `journal.torn-${digest.slice(0, 12)}`;
  writeSynced(join(stateDir, file), torn);
  return { type: 'journal.torn', file, sha256: digest, bytes: torn.length };
}
