export { measureConnections } from './measure-connections.ts';
export { isDuplicateKey, openStore, rawCollection, type Store, storeShape } from './store.ts';
