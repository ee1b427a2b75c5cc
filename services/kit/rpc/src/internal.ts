import { createServer, type RequestListener } from 'node:http';
import type { Metrics } from './metrics.ts';
import type { Logger } from './observe/index.ts';
import { type Bound, bind } from './process/index.ts';

/** True if a process can take calls now. `down` names the dependencies that keep it from that, `warnings` what does not and still needs an operator. */
export type Readiness = {
  status: 'ok' | 'starting' | 'stopping' | 'unavailable';
  down: readonly string[];
  warnings?: readonly string[];
};

type Sources = { metrics: Metrics; readiness: () => Promise<Readiness>; logger: Logger };

type Answer = { status: number; type: string; body: string };

const json = (status: number, value: object): Answer => ({ status, type: 'application/json', body: JSON.stringify(value) });

/** Prometheus prefers OpenMetrics where it stores exemplars. */
const formatFor = (accepts: string | undefined) =>
  accepts?.includes('application/openmetrics-text') === true ? 'openmetrics' : 'prometheus';

const PAGES: Readonly<Record<string, (sources: Sources, accepts: string | undefined) => Promise<Answer>>> = {
  '/metrics': async ({ metrics }, accepts) => ({ status: 200, ...(await metrics.text(formatFor(accepts))) }),
  // Asks no dependency: restarting a process repairs none of them.
  '/health/live': async () => json(200, { status: 'ok' }),
  '/health/ready': async ({ readiness }) => {
    const current = await readiness();
    return json(current.status === 'ok' ? 200 : 503, current);
  },
};

const listener =
  (sources: Sources): RequestListener =>
  (request, response) => {
    const page = request.method === 'GET' ? PAGES[request.url ?? ''] : undefined;
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    page(sources, request.headers.accept).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (err: unknown) => {
        sources.logger.error({ err }, `serving ${request.url} failed`);
        response.writeHead(503).end();
      },
    );
  };

/**
 * Serves `/metrics` in the text format of Prometheus or as OpenMetrics, and the probes `/health/live` and `/health/ready` of an orchestrator, over cleartext HTTP on
 * a port of their own: the port of the service may be public, or ask for certificates that probes do not have.
 * @param options `port` 0 selects a free port
 * @throws Error when the address cannot be bound
 */
export const serveInternal = async (sources: Sources, options: { host: string; port: number }): Promise<Bound & { close: () => void }> => {
  const server = createServer(listener(sources));
  const bound = await bind(server, options);
  return {
    ...bound,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
