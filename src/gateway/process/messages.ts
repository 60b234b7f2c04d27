import type { Duplex } from 'node:stream';
import type { ExchangeFacts } from '../exchange/describe.ts';
import { isObject } from '../exchange/json.ts';
import type { Listen } from '../server.ts';
import type { GatewayPlan, ShapeProbeResult, Refusal } from '../types.ts';

/** Messages from the harness, over a pipe that no other process has open. */
export type ToGateway =
  | { readonly kind: 'open'; readonly plan: GatewayPlan; readonly listen: Listen }
  | { readonly kind: 'probe'; readonly nonce: string }
  | { readonly kind: 'close' };

export type FromGateway =
  | { readonly kind: 'opened'; readonly port: number | null }
  /** The frame also carries the request and response bodies. */
  | { readonly kind: 'exchange'; readonly facts: ExchangeFacts }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'probed'; readonly nonce: string; readonly result: ShapeProbeResult }
  | { readonly kind: 'closed' }
  /** Always the last message. */
  | { readonly kind: 'failed'; readonly detail: string };

/** Three lengths: of the JSON message and of the two raw buffers that follow it. */
const HEAD_BYTES = 12;
const EMPTY: Buffer = Buffer.alloc(0);

/** Encodes a message as the chunks to write to the pipe. */
export function frame(message: ToGateway | FromGateway, first = EMPTY, second = EMPTY): readonly Buffer[] {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(first.length, 4);
  head.writeUInt32BE(second.length, 8);
  return [head, json, first, second];
}

export function send(channel: Duplex, message: ToGateway | FromGateway): void {
  channel.write(Buffer.concat(frame(message)));
}

/** Both ends are the same version of this program, so checking the kind is enough. */
const isMessage = (value: unknown): boolean => isObject(value) && typeof value['kind'] === 'string';
export const toGateway = (value: unknown): value is ToGateway => isMessage(value);
export const fromGateway = (value: unknown): value is FromGateway => isMessage(value);

export function receive<T>(
  channel: Duplex,
  expected: (value: unknown) => value is T,
  take: (message: T, first: Buffer, second: Buffer) => void,
): void {
  let held: Buffer[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  channel.on('data', (chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let rest = Buffer.concat(held);
    for (needed = frameBytes(rest); rest.length >= needed; needed = frameBytes(rest)) {
      const [json = EMPTY, first = EMPTY, second = EMPTY] = partsOf(rest);
      const message: unknown = JSON.parse(json.toString('utf8'));
      if (expected(message)) take(message, first, second);
      rest = rest.subarray(needed);
    }
    held = [rest];
    size = rest.length;
  });
}

function frameBytes(bytes: Buffer): number {
  if (bytes.length < HEAD_BYTES) return HEAD_BYTES;
  return HEAD_BYTES + bytes.readUInt32BE(0) + bytes.readUInt32BE(4) + bytes.readUInt32BE(8);
}

function partsOf(bytes: Buffer): Buffer[] {
  let end = HEAD_BYTES;
  return [0, 4, 8].map((at) => {
    const start = end;
    end += bytes.readUInt32BE(at);
    return bytes.subarray(start, end);
  });
}
