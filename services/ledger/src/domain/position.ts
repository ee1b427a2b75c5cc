/** A block holds fewer entries than this; n × this stays exact in a double up to block 90,071,992,547. */
const POSITIONS_PER_BLOCK = 100_000;

/** Place of an entry in its shard's journal: newest first is highest first, and nothing is ever inserted in between. */
export const positionOf = (n: number, index: number): number => n * POSITIONS_PER_BLOCK + index;

/** Number of the block that a position lies in. */
export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK);
