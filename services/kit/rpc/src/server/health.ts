import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { Health, HealthCheckResponseSchema, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { createHealthCheck, type HealthChecks } from '../health.ts';
import { pause } from '../time.ts';

const WATCH_INTERVAL_MS = 1000;

/** The service name that denotes the process without its dependencies: it serves as long as it responds. */
const LIVENESS = 'liveness';

/**
 * The standard gRPC health protocol (grpc.health.v1). The empty service name and the names of the contracts denote the whole process, with its
 * dependencies; `liveness` denotes it without them.
 * @param draining aborts when the process begins to stop, which makes it not serving
 */
export const registerHealth = (
  router: ConnectRouter,
  serviceNames: readonly string[],
  checks: HealthChecks,
  draining: AbortSignal | undefined,
): void => {
  const known = new Set(['', LIVENESS, ...serviceNames]);
  const failing = createHealthCheck(checks);
  const status = async (name: string): Promise<Status> => {
    if (name === LIVENESS) return Status.SERVING;
    const isServing = draining?.aborted !== true && (await failing()).length === 0;
    return isServing ? Status.SERVING : Status.NOT_SERVING;
  };
  router.service(Health, {
    check: async ({ service }) => {
      if (!known.has(service)) throw new ConnectError('unknown service', Code.NotFound);
      return { status: await status(service) };
    },
    list: async () => {
      const statusOf = async (name: string) => [name, create(HealthCheckResponseSchema, { status: await status(name) })] as const;
      return { statuses: Object.fromEntries(await Promise.all([...known].map(statusOf))) };
    },
    watch: async function* ({ service }, { signal }) {
      let last: Status | undefined;
      while (!signal.aborted) {
        const current = known.has(service) ? await status(service) : Status.SERVICE_UNKNOWN;
        if (current !== last) yield { status: current };
        last = current;
        await pause(WATCH_INTERVAL_MS);
      }
    },
  });
};
