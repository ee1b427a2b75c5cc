import { within } from './time.ts';

/** Dependencies of a process by name, each with a ping that rejects when the dependency does not respond. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_TIMEOUT_MS = 1000;

const responds = (ping: () => Promise<unknown>): Promise<boolean> =>
  within(CHECK_TIMEOUT_MS, ping()).then(
    () => true,
    () => false,
  );

/**
 * Creates a check that returns the names of the dependencies that do not respond within a second. Concurrent callers share one check:
 * health is public, so its cost must not grow with the number of callers.
 */
export const createHealthCheck = (checks: HealthChecks): (() => Promise<string[]>) => {
  let running: Promise<string[]> | undefined;
  const run = async (): Promise<string[]> => {
    const results = await Promise.all(Object.entries(checks).map(async ([name, ping]) => ((await responds(ping)) ? [] : [name])));
    return results.flat();
  };
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};
