import type { Core } from './start-service.ts';

/** Traces several stores, each under the name of its property. */
export const traceStores = <S extends Record<string, object>>(traceStore: Core['traceStore'], stores: S): S =>
  Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, traceStore(name, store)])) as S;
