import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { LimitAnswer } from '../../src/engines/pane/rehearsal.fixture.ts';

export interface Endpoint {
  readonly origin: string;
  close(): Promise<void>;
}

/** Passes requests on to a model, but for those that hold a word: they are refused as a provider does whose usage limit is reached. */
export async function startEndpoint(model: string, word: string, limit: LimitAnswer): Promise<Endpoint> {
  const { hostname, port } = new URL(model);
  const server = createServer((request, response) => {
    // Clients may disconnect at any time, as a killed agent does.
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (body.includes(word)) {
      response.writeHead(limit.status, { 'content-type': 'application/json', ...limit.headers });
      response.end(JSON.stringify(limit.body));
      return;
    }
    const { method, url: path, headers } = request;
    const passed = ask({ hostname, port, method, path, headers }, (passedOn) => {
      response.writeHead(passedOn.statusCode ?? 500, passedOn.headers);
      passedOn.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    passed.end(body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no TCP port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
