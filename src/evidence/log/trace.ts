import { closeSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { appendWhole } from '../storage/write-fully.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { type Attributes, CONVENTIONS_URL } from './gen-ai.ts';
import type { TraceAttribute, TraceLine } from '../schema/trace.ts';

export const TRACE_FILE = 'trace.jsonl';

export interface Span {
  readonly name: string;
  readonly kind?: 'internal' | 'client';
  /** `clock.mono()` at its start. */
  readonly startedMono: number;
  /** `clock.mono()` at its end; if left out, it ends when it is written. */
  readonly endedMono?: number;
  readonly ok: boolean;
  readonly attributes?: Attributes;
}

export interface TraceOptions {
  readonly clock: Clock;
  /** 32 hex digits: see `traceIdOf`. */
  readonly traceId: string;
  /** Attributes of the resource that all spans describe, such as the run id. */
  readonly resource: Attributes;
}

/** The trace id is derived from the run's nonce. */
export function traceIdOf(nonce: string): string {
  return sha256(`trace ${nonce}`).slice(0, 32);
}

/** A span under way, to which others may belong. */
export interface OpenSpan {
  readonly id: string;
  end(span: Omit<Span, 'startedMono'>): void;
}

/**
 * Writes a run's spans as OTLP/JSON, one line each: `add` what has just ended, and last, with `end`, the run itself, to which all
 * others belong.
 */
export class Trace {
  readonly #path: string;
  readonly #options: TraceOptions;
  readonly #fd: number;
  readonly #startedAtNanos: bigint;
  readonly #startedMono: number;
  readonly #rootId: string;
  #spans = 0;

  constructor(path: string, options: TraceOptions) {
    this.#path = path;
    this.#options = options;
    this.#startedAtNanos = BigInt(options.clock.now().getTime()) * 1_000_000n;
    this.#startedMono = options.clock.mono();
    this.#rootId = this.#nextId();
    this.#fd = reportingWrite(path, () => openNoFollow(path, 'a'));
  }

  add(span: Span, parent: Pick<OpenSpan, 'id'> | null = null): void {
    this.#write(this.#nextId(), span, { parentSpanId: parent?.id ?? this.#rootId });
  }

  /** It is written when it ends, and never if it does not. */
  open(): OpenSpan {
    const id = this.#nextId();
    const startedMono = this.#options.clock.mono();
    return { id, end: (span) => this.#write(id, { ...span, startedMono }, { parentSpanId: this.#rootId }) };
  }

  /** Nothing may be added afterwards. */
  end(run: Pick<Span, 'ok' | 'attributes'>): void {
    this.#write(this.#rootId, { name: 'run', startedMono: this.#startedMono, ...run });
    closeSync(this.#fd);
  }

  #nextId(): string {
    this.#spans += 1;
    return sha256(`span ${this.#options.traceId} ${this.#spans}`).slice(0, 16);
  }

  #write(spanId: string, span: Span, parent: { readonly parentSpanId?: string } = {}): void {
    const { traceId, resource, clock } = this.#options;
    const line: TraceLine = {
      resourceSpans: [
        {
          resource: { attributes: encodeAttributes({ 'service.name': 'seatrial', ...resource }) },
          scopeSpans: [
            {
              scope: { name: 'seatrial' },
              schemaUrl: CONVENTIONS_URL,
              spans: [
                {
                  traceId,
                  spanId,
                  ...parent,
                  name: span.name,
                  kind: span.kind === 'client' ? 3 : 1,
                  startTimeUnixNano: this.#nanos(span.startedMono),
                  endTimeUnixNano: this.#nanos(span.endedMono ?? clock.mono()),
                  attributes: encodeAttributes(span.attributes ?? {}),
                  status: { code: span.ok ? 1 : 2 },
                },
              ],
            },
          ],
        },
      ],
    };
    reportingWrite(this.#path, () => appendWhole(this.#fd, Buffer.from(`${JSON.stringify(line)}\n`)));
  }

  #nanos(mono: number): string {
    const elapsed = Math.max(0, mono - this.#startedMono);
    return String(this.#startedAtNanos + BigInt(Math.round(elapsed * 1e6)));
  }
}

function encodeAttributes(attributes: Attributes): TraceAttribute[] {
  return Object.entries(attributes).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    if (typeof value === 'boolean') return { key, value: { boolValue: value } };
    return Number.isSafeInteger(value)
      ? { key, value: { intValue: String(value) } }
      : { key, value: { doubleValue: value } };
  });
}
