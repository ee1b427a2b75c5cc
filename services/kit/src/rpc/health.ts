import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { Health, HealthCheckResponseSchema, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';

/** Says whether a dependency answers: name → ping that rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_TIMEOUT_MS = 1000;
const WATCH_INTERVAL_MS = 1000;

const withTimeout = async (work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => false,
      ),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
};

/** Names of the dependencies that do not answer within a second. */
export const failingChecks = async (checks: HealthChecks): Promise<string[]> => {
  const results = await Promise.all(Object.entries(checks).map(async ([name, ping]) => ((await withTimeout(ping())) ? [] : [name])));
  return results.flat();
};

/** The standard gRPC health protocol (grpc.health.v1). The empty service name stands for the whole process. */
export const registerHealth = (router: ConnectRouter, serviceNames: readonly string[], checks: HealthChecks): void => {
  const known = new Set(['', ...serviceNames]);
  const status = async () => ((await failingChecks(checks)).length === 0 ? Status.SERVING : Status.NOT_SERVING);
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
        await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL_MS));
      }
    },
  });
};
