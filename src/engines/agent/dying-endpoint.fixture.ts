import { createServer, request as ask } from 'node:http';

/** An endpoint that passes one request on, the harness's own question, and is gone once that is answered. */
export async function startDyingEndpoint(
  upstream: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { hostname, port } = new URL(upstream);
    const { method, url: path, headers } = request;
    const passed = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    response.once('close', () => void close());
    request.pipe(passed);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no TCP port');
  return { url: `http://127.0.0.1:${address.port}/v1`, close };
}
