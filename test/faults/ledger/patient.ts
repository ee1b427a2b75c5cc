import { Code, ConnectError } from '@connectrpc/connect';
import { pause } from '@florin/rpc/time';
import type { LedgerClients, LedgerCluster } from '../../support/ledger-cluster.ts';

/** Longer than all faults of a run together, on a machine where each start takes half a minute. */
const GIVE_UP_AFTER_MS = 600_000;
const PAUSE_MS = 100;

/** Errors that say nothing about the outcome. */
const PROMISES_NOTHING: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Canceled,
  Code.Aborted,
  Code.Unknown,
  // An instance whose clock is off takes tokens for expired.
  Code.Unauthenticated,
]);

export type Patient = {
  /** Calls any instance, and repeats the call until there is a definite answer. */
  ask: <T>(call: (clients: LedgerClients) => Promise<T>) => Promise<T>;
  repeats: () => number;
};

/** Calls as a careful service does: without a definite answer the call is repeated under the same id, at any instance. */
export const createPatient = ({ instances }: LedgerCluster, random: () => number): Patient => {
  let repeats = 0;
  return {
    repeats: () => repeats,
    ask: async (call) => {
      const end = Date.now() + GIVE_UP_AFTER_MS;
      for (;;) {
        const instance = instances[Math.floor(random() * instances.length)];
        if (instance === undefined) throw new Error('no instance');
        try {
          return await call(instance.clients);
        } catch (thrown) {
          const error = ConnectError.from(thrown);
          if (!PROMISES_NOTHING.has(error.code) || Date.now() > end) throw error;
          repeats += 1;
          await pause(PAUSE_MS);
        }
      }
    },
  };
};
