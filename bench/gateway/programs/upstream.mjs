/** A model that answers immediately, with about 1 kB or a stream of 50 events. Sends its port to the parent. */
import { createServer } from 'node:http';

const TEXT = 'All work and no play makes for a dull answer. '.repeat(16);
const USAGE = { prompt_tokens: 12, completion_tokens: 180, total_tokens: 192 };
const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: USAGE,
});
const EVENTS = [
  ...Array.from({ length: 48 }, (_, n) => event({ choices: [{ index: 0, delta: { content: `word ${n} ` } }] })),
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE }),
  'data: [DONE]\n\n',
];

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text));
  request.on('end', () => (JSON.parse(body).stream === true ? stream(response, 0) : whole(response)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());

function event(json) {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'scripted', ...json })}\n\n`;
}

function whole(response) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': WHOLE.length }).end(WHOLE);
}

function stream(response, next) {
  if (next === 0) response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (next === EVENTS.length) return response.end();
  response.write(EVENTS[next]);
  setImmediate(stream, response, next + 1);
}
