import type { Duplex } from 'node:stream';
import { isObject } from './json.ts';
import type { Listen } from './server.ts';
import type { GatewayPlan, GatewayReport, ProbeResult } from './types.ts';

/** What the harness tells its gateway, over a pipe that nobody else holds. */
export type ToGateway =
  | { readonly kind: 'open'; readonly plan: GatewayPlan; readonly listen: Listen }
  | { readonly kind: 'probe'; readonly nonce: string }
  | { readonly kind: 'close' };

export type FromGateway =
  | GatewayReport
  | { readonly kind: 'opened'; readonly port: number | null }
  | { readonly kind: 'probed'; readonly nonce: string; readonly result: ProbeResult }
  | { readonly kind: 'closed' }
  /** The last thing it says. */
  | { readonly kind: 'failed'; readonly detail: string };

/** One message a line, as JSON. */
export function send(channel: Duplex, message: ToGateway | FromGateway): void {
  channel.write(`${JSON.stringify(message)}\n`);
}

/** Both ends are the same program, so a message is what its kind says. */
const isMessage = (value: unknown): boolean => isObject(value) && typeof value['kind'] === 'string';
export const toGateway = (value: unknown): value is ToGateway => isMessage(value);
export const fromGateway = (value: unknown): value is FromGateway => isMessage(value);

export function receive<T>(
  channel: Duplex,
  expected: (value: unknown) => value is T,
  take: (message: T) => void,
): void {
  let parts: Buffer[] = [];
  channel.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const message: unknown = JSON.parse(Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8'));
      parts = [];
      start = end + 1;
      if (expected(message)) take(message);
    }
    parts.push(chunk.subarray(start));
  });
}
