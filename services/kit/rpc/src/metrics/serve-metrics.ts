import { createServer } from 'node:http';
import type { Logger } from '../observe/index.ts';
import { type Bound, bind } from '../process/index.ts';
import type { Metrics } from './metrics.ts';

/**
 * Serves `GET /metrics` in the text format of Prometheus on a port of its own, so that the port of the service can be public and this one
 * cannot.
 * @param options `port` 0 selects a free port
 * @throws Error when the address cannot be bound
 */
export const serveMetrics = async (
  { text }: Metrics,
  options: { host: string; port: number; logger: Logger },
): Promise<Bound & { close: () => void }> => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      (err: unknown) => {
        options.logger.error({ err }, 'collecting metrics failed');
        response.writeHead(503).end();
      },
    );
  });
  const bound = await bind(server, options);
  return {
    ...bound,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
