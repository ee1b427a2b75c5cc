export {
  type ConditionalUpdate,
  createBatchedInserts,
  createBatchedReads,
  createBatchedReplaces,
  createBatchedUpdates,
} from './batched-access.ts';
export { measureConnections } from './measure-connections.ts';
export { isDuplicateKey, openStore, rawCollection, type Store, storeShape } from './store.ts';
export { DATABASE_RECORDS, startWriteProbe, writeProbeDocument } from './write-probe.ts';
