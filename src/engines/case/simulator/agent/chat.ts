import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { type JsonObject, objectIn, objectsIn, parseJson, textIn, countIn } from '../../../../gateway/exchange/json.ts';
import { eventData } from '../../../../gateway/exchange/sse.ts';
import type { Model } from './models.ts';
import type { ReceivedStream, Reply, ToolInvocation } from './reply.ts';
import { readResponses, responsesBody } from './responses.ts';

const NOTHING: Reply = { text: '', calls: [], broken: true };
const RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const isWorthRetrying = (status: number): boolean => status >= 500 || [408, 409, 429].includes(status);

/** Requests one streamed answer. Never throws: like Case, an agent without an answer ends without an error. */
export async function askModel(
  model: Model,
  messages: readonly JsonObject[],
  tools: readonly JsonObject[],
  signal: AbortSignal,
): Promise<Reply> {
  const isChat = model.api === 'openai-completions';
  const body = JSON.stringify(isChat ? chatBody(model, messages, tools) : responsesBody(model, messages, tools));
  for (let attempt = 0; ; attempt += 1) {
    const response = await post(model, body, signal).catch(() => null);
    if (response?.statusCode === 200)
      return isChat ? readReply(await received(response)) : readResponses(await received(response));
    response?.resume();
    const again = response === null || isWorthRetrying(response.statusCode ?? 0);
    if (!again || attempt === RETRIES || signal.aborted) return NOTHING;
    await wait(FIRST_PAUSE_MS * 2 ** attempt, undefined, { signal }).catch(() => {});
  }
}

function chatBody({ id, maxTokens }: Model, messages: readonly JsonObject[], tools: readonly JsonObject[]): JsonObject {
  return {
    model: id,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    store: false,
    max_completion_tokens: maxTokens,
    tools,
  };
}

function post({ api, baseUrl, key }: Model, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(`${baseUrl}/${api === 'openai-completions' ? 'chat/completions' : 'responses'}`);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'seatrial-stand-in-ca',
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, signal }, resolve).once('error', reject).end(body);
  });
}

async function received(response: IncomingMessage): Promise<ReceivedStream> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    return { text: Buffer.concat(chunks).toString('utf8'), whole: true };
  } catch {
    return { text: Buffer.concat(chunks).toString('utf8'), whole: false };
  }
}

function readReply({ text: stream, whole }: ReceivedStream): Reply {
  let text = '';
  const calls: ToolInvocation[] = [];
  for (const data of eventData(stream)) {
    if (data === '[DONE]') break;
    const event = parseJson(data);
    if (event === undefined) {
      process.stderr.write(`Could not parse message into JSON: ${data}\nFrom chunk: [ "data: ${data}" ]\n`);
      return { text, calls, broken: true };
    }
    // Reasoning is in other fields and does not count as text.
    const delta = objectIn(objectsIn(objectIn(event)['choices'])[0]?.['delta']);
    text += textIn(delta['content']);
    for (const chunk of objectsIn(delta['tool_calls'])) addChunk(calls, chunk);
  }
  return { text, calls, broken: !whole };
}

function addChunk(calls: ToolInvocation[], chunk: JsonObject): void {
  const index = countIn(chunk['index']);
  const call = (calls[index] ??= { id: '', name: '', arguments: '' });
  const fn = objectIn(chunk['function']);
  call.id ||= textIn(chunk['id']);
  call.name ||= textIn(fn['name']);
  call.arguments += textIn(fn['arguments']);
}
