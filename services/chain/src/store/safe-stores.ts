import type { Connection } from 'mongoose';
import { createCollectionStore } from './collections.ts';
import { createRecoveryTransactionStore } from './recovery-transactions.ts';
import { createRelayJobStore } from './relay-jobs.ts';
import { createRelayLaneStore } from './relay-lanes.ts';
import { createSafePlanStore } from './safe-plans.ts';
import { createSafeWithdrawalStore } from './safe-withdrawals.ts';
import { createSafeStore } from './safes.ts';

/** The collections of Safes and what is done with them. */
export const createSafeStores = (connection: Connection) => {
  const recoveries = createRecoveryTransactionStore(connection);
  return {
    collections: createCollectionStore(connection),
    jobs: createRelayJobStore(connection),
    lanes: createRelayLaneStore(connection),
    plans: createSafePlanStore(connection),
    safes: createSafeStore(connection),
    recoveries,
    withdrawals: createSafeWithdrawalStore(connection, recoveries.hasFailed),
  };
};

export type SafeStores = ReturnType<typeof createSafeStores>;
