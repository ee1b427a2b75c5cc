import { createServer } from 'node:net';
import { processEnvironment } from '../config/index.ts';

/** Below the ports that operating systems assign to connections and to servers that ask for any port. */
const FIRST = 10_000;
/** Ports of a worker of the test run. */
const COUNT = 2000;
const WORKERS = 5;

const worker = Number(processEnvironment()['VITEST_POOL_ID'] ?? 0) % WORKERS;
let next = Math.floor(Math.random() * COUNT);

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

/**
 * Returns a free port of the loopback interface for a server whose address must be known before it listens, or that stops and listens
 * again. The operating system assigns it to nothing else in the meantime, and other workers of the run have other ports.
 */
export const testPort = async (): Promise<number> => {
  for (let attempt = 0; attempt < COUNT; attempt += 1) {
    next = (next + 1) % COUNT;
    const port = FIRST + worker * COUNT + next;
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port among the ${COUNT} of this worker.`);
};
