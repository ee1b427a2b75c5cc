import type { AddressInfo, Server } from 'node:net';

/** Address of a bound server: http://host:port with the port that was bound, and 127.0.0.1 when it listens on all interfaces. */
export type Bound = { url: string; port: number };

/**
 * Binds a server.
 * @param options `port` 0 selects a free port
 * @throws Error when the address cannot be bound
 */
export const bind = async (server: Server, options: { host: string; port: number }, scheme: 'http' | 'https' = 'http'): Promise<Bound> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return { url: `${scheme}://${host}:${port}`, port };
};
