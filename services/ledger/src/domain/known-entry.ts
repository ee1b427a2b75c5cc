import type { Entry, KnownEntry } from './entry.ts';
import { orderHash } from './transfer-order.ts';

/**
 * Hash of what the caller asked for. The entry of a transfer without options stores no hash; it is recomputed when the id is used again.
 */
export const inputHashOf = ({ inputHash, transfers }: Pick<Entry, 'inputHash' | 'transfers'>): string =>
  inputHash === '' ? orderHash(transfers, {}) : inputHash;

/** The journal's knowledge of an entry in block n. */
export const knownEntry = (n: number, entry: Entry): KnownEntry => ({ n, kind: entry.kind, inputHash: inputHashOf(entry) });
