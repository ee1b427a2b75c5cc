export {
  type ConditionalUpdate,
  createBatchedInserts,
  createBatchedReads,
  createBatchedReplaces,
  createBatchedUpdates,
} from './batched-access.ts';
export { earlierTime, engineTime } from './engine-time.ts';
export { measureConnections } from './measure-connections.ts';
export {
  isDuplicateKey,
  isUnauthorized,
  LATEST,
  openStore,
  PROVEN,
  rawCollection,
  type Store,
  storeShape,
  throughDeadlocks,
} from './store.ts';
export { DATABASE_RECORDS, probeWrites, WRITE_PROBES } from './write-probe.ts';
