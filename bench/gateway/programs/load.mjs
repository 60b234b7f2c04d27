/** Sends the requested number of requests, concurrently over keep-alive connections, and reports the time of each. */
import { Agent, request } from 'node:http';

const MESSAGES = [
  { role: 'system', content: 'You are a careful engineer. '.repeat(40) },
  { role: 'user', content: 'Say something.' },
];

process.on('message', (order) => {
  run(order).then(
    (result) => process.send(result),
    (error) => process.send({ fault: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function run({ port, headers, streamed, requests, atOnce }) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const body = JSON.stringify({ model: 'scripted', messages: MESSAGES, stream: streamed });
  const options = {
    host: '127.0.0.1',
    port,
    agent,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  };
  const times = [];
  let left = requests;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        times.push(await ask(options, body, streamed));
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { times_ms: times, per_second: requests / seconds };
}

function ask(options, body, streamed) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      let last = '';
      response.setEncoding('latin1').on('data', (text) => (last = text));
      response.on('error', reject);
      response.on('end', () => {
        const whole = streamed ? last.endsWith('[DONE]\n\n') : last.endsWith('}');
        if (response.statusCode === 200 && whole) resolve(performance.now() - started);
        else reject(new Error(`HTTP ${response.statusCode}: ${last.slice(0, 200)}`));
      });
    });
    call.on('error', reject).end(body);
  });
}
