import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { Health, HealthCheckResponseSchema, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { createHealthCheck, type HealthChecks } from '../health/index.ts';
import { pause } from '../time/index.ts';

const WATCH_INTERVAL_MS = 1000;

/** The standard gRPC health protocol (grpc.health.v1). The empty service name denotes the whole process. */
export const registerHealth = (router: ConnectRouter, serviceNames: readonly string[], checks: HealthChecks): void => {
  const known = new Set(['', ...serviceNames]);
  const failing = createHealthCheck(checks);
  const status = async () => ((await failing()).length === 0 ? Status.SERVING : Status.NOT_SERVING);
  router.service(Health, {
    check: async ({ service }) => {
      if (!known.has(service)) throw new ConnectError('unknown service', Code.NotFound);
      return { status: await status() };
    },
    list: async () => {
      const current = create(HealthCheckResponseSchema, { status: await status() });
      return { statuses: Object.fromEntries([...known].map((name) => [name, current])) };
    },
    watch: async function* ({ service }, { signal }) {
      let last: Status | undefined;
      while (!signal.aborted) {
        const current = known.has(service) ? await status() : Status.SERVICE_UNKNOWN;
        if (current !== last) yield { status: current };
        last = current;
        await pause(WATCH_INTERVAL_MS);
      }
    },
  });
};
