export { isDuplicateKey, openStore, rawCollection, type Store, storeShape } from './store.ts';
