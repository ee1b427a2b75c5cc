import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** A port of the loopback interface that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Whether `port` can be listened on now, on loopback. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}

function listenOnce(port: number, host: string = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no TCP address'));
        else resolve(address.port);
      });
    });
  });
}
