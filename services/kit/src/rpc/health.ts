import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { Health, HealthCheckResponseSchema, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { pause, within } from '../time/index.ts';

/** Says whether a dependency answers: name → ping that rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_TIMEOUT_MS = 1000;
const WATCH_INTERVAL_MS = 1000;

const answers = (ping: () => Promise<unknown>): Promise<boolean> =>
  within(CHECK_TIMEOUT_MS, ping()).then(
    () => true,
    () => false,
  );

/**
 * Makes a check that answers the names of the dependencies that do not answer within a second. Whoever asks while one is under way
 * gets its outcome: anybody may ask for health, and the more do, the less may each of them cost.
 */
export const createHealthCheck = (checks: HealthChecks): (() => Promise<string[]>) => {
  let running: Promise<string[]> | undefined;
  const run = async (): Promise<string[]> => {
    const results = await Promise.all(Object.entries(checks).map(async ([name, ping]) => ((await answers(ping)) ? [] : [name])));
    return results.flat();
  };
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};

/** The standard gRPC health protocol (grpc.health.v1). The empty service name stands for the whole process. */
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
