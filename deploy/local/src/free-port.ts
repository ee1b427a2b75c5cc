import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Below the ports that systems give to outgoing connections (Linux from 32,768, others from 49,152). On one of those, a server
 * that is being restarted could find its port taken by a client, even by one that tries to reach the server itself.
 */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;

/** So that two engines which start side by side are not given the same one before either listens. */
const given = new Set<number>();

/** A port of the loopback interface that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

/** Whether `port` can be listened on now, on loopback. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
