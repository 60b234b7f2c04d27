import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isObject, type JsonObject, objectIn, parseJson } from '../../gateway/exchange/json.ts';

/** A file that an agent shows as a diff is part of one message. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Messages that wait to be read; then the agent has to wait. */
const MAX_QUEUED = 256;

export interface MessageStream extends Stream {
  /**
   * Takes what the agent reports, in order and before any later answer. The library would drop each report that differs from its schema.
   */
  onUpdate(take: (update: JsonObject) => void): void;
  /** From now on, what the agent says is read and dropped, so that it is never stuck. */
  ignoreRest(): void;
  /** Resolves when a message that is too long to be read has come. */
  readonly tooLong: Promise<void>;
}

/**
 * The agent's standard streams as a stream of messages. What is no message is skipped: programs print warnings. Attached at once, so
 * that nothing is missed.
 */
export function openMessageStream(output: Readable, input: Writable): MessageStream {
  const awaited = new Set<unknown>();
  let tellTooLong = (): void => {};
  const tooLong = new Promise<void>((resolve) => (tellTooLong = resolve));
  let isOver = false;
  let takeUpdate: (update: JsonObject) => void = () => {};
  let push: (message: AnyMessage) => void = () => {};
  const lines = new LineSplitter(
    (line) => {
      const message = isOver ? null : readMessage(line, awaited);
      if (message === null) return;
      if ('method' in message && message.method === UPDATE) takeUpdate(objectIn(objectIn(message.params)['update']));
      else push(message);
    },
    () => tellTooLong(),
  );
  const readable = new ReadableStream<AnyMessage>(
    {
      start: (controller) => {
        push = (message) => {
          controller.enqueue(message);
          if ((controller.desiredSize ?? 1) <= 0) output.pause();
        };
        output.on('data', (chunk: Buffer) => lines.push(chunk));
        output.once('close', () => {
          lines.end();
          if (!isOver) controller.close();
          isOver = true;
        });
      },
      pull: () => void output.resume(),
      cancel: () => {
        isOver = true;
        output.resume();
      },
    },
    { highWaterMark: MAX_QUEUED },
  );
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ('method' in message && 'id' in message) awaited.add(message.id);
      return new Promise((resolve) => {
        // What is written to a program that has gone is dropped.
        input.write(`${JSON.stringify(message)}\n`, () => resolve());
      });
    },
  });
  return {
    readable,
    writable,
    tooLong,
    onUpdate: (take) => {
      takeUpdate = take;
    },
    ignoreRest: () => {
      isOver = true;
      output.resume();
    },
  };
}

const UPDATE = 'session/update';

/** Null: it is no message, or the answer to a question that was never put. */
function readMessage(line: string, awaited: Set<unknown>): AnyMessage | null {
  if (!line.startsWith('{')) return null;
  const value = parseJson(line);
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return null;
  return isCall(value) || (isAnswer(value) && awaited.delete(value['id'])) ? value : null;
}

const isId = (value: unknown): boolean => typeof value === 'string' || Number.isFinite(value);

function isCall(value: JsonObject): value is JsonObject & AnyMessage {
  return typeof value['method'] === 'string' && (!('id' in value) || isId(value['id']));
}

function isAnswer(value: JsonObject): value is JsonObject & AnyMessage {
  if ('method' in value || !isId(value['id']) || 'result' in value === 'error' in value) return false;
  const { error } = value;
  return (
    !('error' in value) || (isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string')
  );
}

/** Hands on whole lines. One that is too long is skipped, and told if it began like a message. */
class LineSplitter {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isSkipping = false;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;

  constructor(onLine: (line: string) => void, onTooLong: () => void) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  end(): void {
    if (!this.#isSkipping && this.#bytes > 0) this.#onLine(Buffer.concat(this.#chunks).toString('utf8').trim());
    this.#drop();
    this.#isSkipping = false;
  }

  #add(part: Buffer): void {
    if (this.#isSkipping) return;
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= MAX_MESSAGE_BYTES) return;
    if (this.#chunks.find(({ length }) => length > 0)?.[0] === OPENING_BRACE) this.#onTooLong();
    this.#drop();
    this.#isSkipping = true;
  }

  #drop(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }
}

const OPENING_BRACE = 123;
