import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Wire } from '../../evidence/schema/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../exchange/json.ts';
import { answerTurn, refuse } from './answer.ts';
import { chooseTurn } from './choose.ts';
import { readConversation } from './conversation.ts';
import type { ModelScript, Turn } from './schema.ts';
import { speakerAt } from './wires.ts';

/** A request that the model received. */
export interface ScriptedRequest {
  readonly wire: Wire;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface ScriptedModel {
  /** The base URL: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  close(): Promise<void>;
}

/** What a provider finds wrong with a request. */
export interface RequestFault {
  readonly status: number;
  readonly message: string;
}

export interface ScriptedOptions {
  readonly port?: number;
  /** Refuses requests before the script is asked. */
  readonly demand?: (request: ScriptedRequest) => RequestFault | null;
  /** `turn`: which of the script answers; null: none does. */
  readonly onRequest?: (request: ScriptedRequest, model: string, turn: number | null) => void;
}

/** A deterministic model that answers from a script, for tests and for checks on machines without a model. */
export async function startScriptedModel(script: ModelScript, options: ScriptedOptions = {}): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const given = new Map<Turn, number>();
  const server = createServer((request, response) => {
    // Clients may disconnect at any time, as a killed agent does.
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = parseJson(await textOf(request));
    const speaker = request.method === 'POST' ? speakerAt(path) : null;
    if (speaker === null) return refuse(response, 404, { error: { message: `unknown path: ${path}` } });
    if (!isObject(body)) return refuse(response, 400, speaker.error(400, 'the request is not a JSON object'));
    const asked = { wire: speaker.wire, path, headers: request.headers, body };
    const fault = options.demand?.(asked) ?? null;
    if (fault !== null) return refuse(response, fault.status, speaker.error(fault.status, fault.message));
    requests.push(asked);
    const conversation = readConversation(body, speaker);
    const turn = chooseTurn(script, conversation, given);
    options.onRequest?.(asked, conversation.model, turn === null ? null : script.turns.indexOf(turn));
    if (turn === null) return refuse(response, 500, speaker.error(500, 'the script has no turn for this conversation'));
    given.set(turn, (given.get(turn) ?? 0) + 1);
    await answerTurn({ turn, conversation, speaker, id: String(requests.length), response });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no TCP port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
