import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The inner process of the floor: a bare HTTP server that returns given JSON bodies by path. */
process.once('message', (bodies: Record<string, unknown>) => {
  const texts = new Map(Object.entries(bodies).map(([path, body]) => [path, JSON.stringify(body)]));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(texts.get(request.url ?? ''));
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
