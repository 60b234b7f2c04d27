/** A plain reverse proxy to the given target, with keep-alive connections for its best performance. Sends its port to the parent. */
import { createRequire } from 'node:module';
import { Agent, createServer } from 'node:http';
import { join } from 'node:path';

const [peers, target] = process.argv.slice(2);
const { createProxyServer } = createRequire(join(peers, 'package.json'))('http-proxy');
const proxy = createProxyServer({ target, agent: new Agent({ keepAlive: true }) });
const server = createServer((request, response) => void proxy.web(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
