export { createBatchedInserts, createBatchedReads } from './batched-access.ts';
export { measureConnections } from './measure-connections.ts';
export { isDuplicateKey, openStore, rawCollection, type Store, storeShape } from './store.ts';
