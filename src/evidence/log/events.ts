import { closeSync, readFileSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { type DecodedChain, decodeChain, linkLine } from './chain.ts';
import { appendWhole } from '../storage/write-fully.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { decodeEvent, type EventData, type EventSource, type EventType, type RunEvent } from '../schema/events.ts';

export const EVENTS_FILE = 'events.normalized.jsonl';

export interface EventLogOptions {
  readonly clock: Clock;
  /** `clock.mono()` when the run started; `mono_ms` is relative to it. */
  readonly startedMono: number;
  /** Events already in the file; the chain continues from them. */
  readonly previous?: readonly RunEvent[];
}

/**
 * The only writer of a run's events: it alone sets order, time and hashes. Each event is in the file when `append`
 * returns. Throws for an event that does not match its schema, which is a bug in the caller.
 */
export class EventLog {
  readonly path: string;
  readonly #options: EventLogOptions;
  readonly #events: RunEvent[];
  readonly #fd: number;
  #head: string;

  constructor(path: string, options: EventLogOptions) {
    this.path = path;
    this.#options = options;
    this.#events = [...(options.previous ?? [])];
    this.#head = this.#events.at(-1)?.hash ?? ZERO_DIGEST;
    this.#fd = reportingWrite(path, () => openNoFollow(path, 'a'));
  }

  /** Hash of the last event. */
  get head(): string {
    return this.#head;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  append<T extends EventType>(type: T, source: EventSource, data: EventData<T>): RunEvent {
    const { clock, startedMono } = this.#options;
    const body = {
      seq: this.#events.length,
      time: clock.now().toISOString(),
      mono_ms: Math.max(0, Math.round((clock.mono() - startedMono) * 1000) / 1000),
      type,
      source,
      data: wellFormed(data),
      prev: this.#head,
    };
    const { line, hash } = linkLine(body);
    const event = decodeEvent({ ...body, hash });
    reportingWrite(this.path, () => appendWhole(this.#fd, Buffer.from(line)));
    this.#events.push(event);
    this.#head = hash;
    return event;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export function decodeEvents(bytes: Buffer): DecodedChain<RunEvent> {
  return decodeChain(bytes, decodeEvent);
}

/** Reads all events of a file, or throws an error that names the first invalid line. */
export function readEvents(path: string): readonly RunEvent[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new SeatrialError('evidence', `cannot read the events in ${path}: ${messageOf(error)}`, error);
  }
  const { entries, fault } = decodeEvents(bytes);
  if (fault !== null) {
    throw new SeatrialError('evidence', `${path} line ${fault.line}: ${fault.text}; the record was damaged or changed`);
  }
  return entries;
}

/** Replaces lone surrogates, which JSON from an engine can contain and UTF-8 cannot encode, with U+FFFD. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string')
    return /\p{Surrogate}/u.test(value) ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wellFormed(member)]));
  }
  return value;
}
