import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'undici';

/** The outer process of the floor: an Express handler that makes one POST to the inner process and returns its body as JSON. */
process.once('message', ({ origin, paths }: { origin: string; paths: string[] }) => {
  const pool = new Pool(origin, { connections: 64 });
  const app = express();
  for (const path of paths) {
    app.get(path, async (_request, response) => {
      const { body } = await pool.request({ path, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      response.json(await body.json());
    });
  }
  const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
