import type { AddressInfo } from 'node:net';
import express from 'express';

/** The peer: an Express handler that returns given JSON bodies by path. Runs as a separate process. */
process.once('message', (bodies: Record<string, unknown>) => {
  const app = express();
  for (const [path, body] of Object.entries(bodies)) app.get(path, (_request, response) => void response.json(body));
  const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
