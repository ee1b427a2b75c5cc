/** A place in a shard's journal up to which the reader has read. */
export type Mark = {
  /** Number of the mark, from 1. */
  count: number;
  position: string;
  /** Hash of the position's block; empty if the ledger did not state it. */
  blockHash: string;
};

/** Marks of one reading, the newest first, further and further apart: of those as old as n marks, every (n / 4)th to (n / 2)th. */
export type Trail = readonly Mark[];

/** Adds a mark to a trail, and leaves out what became too dense. */
export const extendTrail = (trail: Trail, { position, blockHash }: Omit<Mark, 'count'>): Mark[] => {
  const count = (trail[0]?.count ?? 0) + 1;
  const isKept = (mark: Mark): boolean => mark.count % 2 ** Math.max(0, Math.floor(Math.log2(count - mark.count)) - 1) === 0;
  return [{ count, position, blockHash }, ...trail.filter(isKept)];
};
