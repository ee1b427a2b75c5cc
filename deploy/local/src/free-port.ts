import { connect, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Below the ports that operating systems assign to outgoing connections (from 32,768 on Linux, from 49,152 elsewhere). Otherwise a
 * server that is being restarted could find its port taken by a client, even by one that is trying to reach that server.
 */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 100;
const CONNECT_TIMEOUT_MS = 1_000;

/** Ports that this process has returned, so that concurrent callers get different ones before either listens. */
const returned = new Set<number>();

/**
 * Returns a random port that is free on the loopback interface, each at most once per process. Not `get-port`: it tries a range in
 * order, so that concurrent processes get the same port, and falls back to the range of outgoing connections.
 */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (returned.has(port)) continue;
    returned.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`There is no free port between ${FIRST} and ${LAST}.`);
};

/** Reports whether a server can listen on `port` of the loopback interface now. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Reports whether a server listens on `port` of the loopback interface. A port can also be in use by an outgoing connection. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: CONNECT_TIMEOUT_MS });
    const settle = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
