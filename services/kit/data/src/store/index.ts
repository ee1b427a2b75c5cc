export {
  type ConditionalUpdate,
  createBatchedInserts,
  createBatchedReads,
  createBatchedReplaces,
  createBatchedUpdates,
} from './batched-access.ts';
export { earlierTime, engineTime } from './engine-time.ts';
export { measureConnections } from './measure-connections.ts';
export { isDuplicateKey, LATEST, openStore, PROVEN, rawCollection, type Store, storeShape } from './store.ts';
export { DATABASE_RECORDS, probeWrites } from './write-probe.ts';
