import { within } from '../time/index.ts';

/** Says whether a dependency answers: name → ping that rejects when it does not. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_TIMEOUT_MS = 1000;

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
