import { connect, createServer, type Server, type Socket } from 'node:net';
import { testPort } from '@florin/rpc/testing/test-port';

/**
 * Starts a TCP relay to Redis whose connections a test can cut and restore. Redis itself is shared with other tests.
 * @param host address that the relay listens on
 */
export const startRedisRelay = async (redisUrl: string, host = '127.0.0.1') => {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const port = await testPort();

  const open = async (): Promise<void> => {
    const created = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve, reject) => {
      created.once('error', reject);
      created.listen(port, host, resolve);
    });
    server = created;
  };

  const cut = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  await open();
  return { url: `redis://${host}:${port}`, cut, restore: open, close: cut };
};
