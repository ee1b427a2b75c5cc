export { isDuplicateKey, openStore, type Store, storeShape } from './store.ts';
