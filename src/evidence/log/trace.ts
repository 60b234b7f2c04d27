import { closeSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { appendWhole, reportingWrite } from '../storage/durable.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import type { TraceAttribute, TraceLine } from '../schema/trace.ts';

export const TRACE_FILE = 'trace.jsonl';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  readonly id: string;
  /** Writes the span; a second call changes nothing. */
  end(result: { readonly ok: boolean; readonly attributes?: Attributes }): void;
}

export interface TraceOptions {
  readonly clock: Clock;
  /** Hex, 32 digits: see `traceIdOf`. */
  readonly traceId: string;
  /** What all spans are about, for example the run id. */
  readonly resource: Attributes;
}

/** The run's nonce names its trace. */
export function traceIdOf(nonce: string): string {
  return sha256(`trace ${nonce}`).slice(0, 32);
}

/** Spans of a run as OTLP/JSON, one line each, written when the span ends. */
export class Trace {
  readonly #path: string;
  readonly #options: TraceOptions;
  readonly #fd: number;
  readonly #epochNanos: bigint;
  readonly #epochMono: number;
  #spans = 0;

  constructor(path: string, options: TraceOptions) {
    this.#path = path;
    this.#options = options;
    this.#epochNanos = BigInt(options.clock.now().getTime()) * 1_000_000n;
    this.#epochMono = options.clock.mono();
    this.#fd = reportingWrite(path, () => openNoFollow(path, 'a'));
  }

  /** `agoMs`: for what is only told of when it is over. */
  start(name: string, parent?: Span, agoMs = 0): Span {
    const { traceId, resource } = this.#options;
    this.#spans += 1;
    const id = sha256(`span ${traceId} ${this.#spans}`).slice(0, 16);
    const startTimeUnixNano = this.#nanos(agoMs);
    let ended = false;
    return {
      id,
      end: ({ ok, attributes = {} }) => {
        if (ended) return;
        ended = true;
        this.#write({
          resourceSpans: [
            {
              resource: { attributes: encodeAttributes({ 'service.name': 'seatrial', ...resource }) },
              scopeSpans: [
                {
                  scope: { name: 'seatrial' },
                  spans: [
                    {
                      traceId,
                      spanId: id,
                      ...(parent === undefined ? {} : { parentSpanId: parent.id }),
                      name,
                      kind: 1,
                      startTimeUnixNano,
                      endTimeUnixNano: this.#nanos(),
                      attributes: encodeAttributes(attributes),
                      status: { code: ok ? 1 : 2 },
                    },
                  ],
                },
              ],
            },
          ],
        });
      },
    };
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(line: TraceLine): void {
    reportingWrite(this.#path, () => appendWhole(this.#fd, Buffer.from(`${JSON.stringify(line)}\n`)));
  }

  #nanos(agoMs = 0): string {
    const elapsed = Math.max(0, this.#options.clock.mono() - this.#epochMono - agoMs);
    return String(this.#epochNanos + BigInt(Math.round(elapsed * 1e6)));
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
