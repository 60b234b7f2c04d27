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
  /** Writes the span. Only the first call has an effect. */
  end(result: { readonly ok: boolean; readonly attributes?: Attributes }): void;
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

/** Writes a run's spans as OTLP/JSON, one line each, when they end. */
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

  /** `agoMs`: for a span that is only reported after its start. */
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
