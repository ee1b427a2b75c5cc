import type { Connection } from 'mongoose';
import { createRelayJobStore } from './relay-jobs.ts';
import { createRelayLaneStore } from './relay-lanes.ts';
import { createSafePlanStore } from './safe-plans.ts';
import { createSafeWithdrawalStore } from './safe-withdrawals.ts';
import { createSafeStore } from './safes.ts';

/** The collections of Safes and what is done with them. */
export const createSafeStores = (connection: Connection) => ({
  jobs: createRelayJobStore(connection),
  lanes: createRelayLaneStore(connection),
  plans: createSafePlanStore(connection),
  safes: createSafeStore(connection),
  withdrawals: createSafeWithdrawalStore(connection),
});

export type SafeStores = ReturnType<typeof createSafeStores>;
