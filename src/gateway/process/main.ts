import { Socket } from 'node:net';
import { systemClock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { redactUpstream } from '../redactor.ts';
import { frame, receive, send, toGateway, type ToGateway } from './messages.ts';
import { type OpenServer, openServer } from '../server.ts';
import type { GatewayPlan } from '../types.ts';

/** Descriptor 3 is the pipe to the harness. The process exits when it closes, because the harness is gone. */
const CHANNEL = 3;
const BATCH_MS = 10;

const harness = new Socket({ fd: CHANNEL, readable: true, writable: true });
let plan: GatewayPlan | null = null;
let server: OpenServer | null = null;
const pending: Buffer[] = [];
let pendingBytes = 0;

harness.on('error', () => process.exit(1));
harness.on('close', () => process.exit(0));
// An exit code cannot carry the error, so it is sent to the harness.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
receive(harness, toGateway, (message) => void handle(message).catch(fail));

async function handle(message: ToGateway): Promise<void> {
  switch (message.kind) {
    case 'open':
      plan = message.plan;
      server = await openServer(plan, message.listen, systemClock, {
        exchange: ({ facts, request, response }) => enqueue(frame({ kind: 'exchange', facts }, request, response)),
        refused: (refusal) => enqueue(frame({ kind: 'refused', refusal })),
        waiting: () => pendingBytes + harness.writableLength,
      });
      return send(harness, { kind: 'opened', port: server.port });
    case 'probe':
      if (server !== null)
        send(harness, { kind: 'probed', nonce: message.nonce, result: await server.probe(message.nonce) });
      return;
    case 'close':
      await server?.close();
      flush();
      send(harness, { kind: 'closed' });
      harness.end();
      return;
    default:
      message satisfies never;
  }
}

/** Batches reports for 10 ms; each write costs as much as a small answer. */
function enqueue(chunks: readonly Buffer[]): void {
  if (pending.length === 0) setTimeout(flush, BATCH_MS);
  for (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
  }
}

function flush(): void {
  if (pending.length > 0) harness.write(Buffer.concat(pending.splice(0)));
  pendingBytes = 0;
}

function fail(error: unknown): void {
  const detail = redactUpstream(plan?.upstream ?? null).text(messageOf(error));
  flush();
  send(harness, { kind: 'failed', detail });
  harness.end(() => process.exit(1));
}
