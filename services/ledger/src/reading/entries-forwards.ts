import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@florin/rpc/errors';
import { type Block, linesOf } from '../domain/block.ts';
import { decodeEntry, type Entry } from '../domain/entry.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { BlockStore } from '../journal/ports.ts';
import { endOf, entriesArchived, type FindArchive } from './archived.ts';

/** How far a reader has read a shard's journal. */
export type ReadingPlace = {
  position: number;
  /** Hash of the block of the position, by which a journal is recognized that was restored and has gone on differently. Undefined: the position alone counts. */
  blockHash: string | undefined;
};

/** Some entries of one block. */
export type Batch = {
  entries: readonly { entry: Entry; n: number; at: Date }[];
  /** Place of the last entry that was looked at. */
  place: ReadingPlace;
  /** True if there was nothing beyond it. */
  caughtUp: boolean;
};

/** Blocks of one query: a reader that is slow leaves no query open for long. */
export const BLOCKS_PER_QUERY = 16;
/** Bounds of a batch, so that a message stays small. */
const MAX_ENTRIES = 200;
const MAX_TRANSFERS = 2000;

const batchesOf = function* (block: Block, after: number, wanted: (entry: Entry) => boolean): Generator<Omit<Batch, 'caughtUp'>> {
  const { n, at } = block;
  let entries: { entry: Entry; n: number; at: Date }[] = [];
  let transfers = 0;
  for (const [index, line] of linesOf(block).entries()) {
    if (positionOf(n, index) <= after) continue;
    const entry = decodeEntry(line);
    if (!wanted(entry)) continue;
    entries.push({ entry, n, at });
    transfers += entry.transfers.length;
    if (entries.length < MAX_ENTRIES && transfers < MAX_TRANSFERS) continue;
    yield { entries, place: { position: positionOf(n, index), blockHash: block.hash } };
    entries = [];
    transfers = 0;
  }
  if (entries.length > 0) yield { entries, place: { position: endOf(n), blockHash: block.hash } };
};

/** Why a block is not where it should be. */
const missing = async (findArchive: FindArchive, shard: string, n: number): Promise<Error> => {
  const archive = await findArchive(shard);
  return archive !== undefined && n <= archive.n ? entriesArchived(archive) : new Error(`block ${shard}:${n} is missing`);
};

const notAvailable = (): CodedError =>
  new CodedError('POSITION_NOT_AVAILABLE', { message: "after: is beyond the journal's end, or of a journal that was restored since" });

/**
 * All entries of a shard after a place, in the journal's order, without end. Read from the store: the same at every instance, and
 * only what is durable. Holds no more than one query's blocks. An empty batch comes as a heartbeat, and at once where there is nothing.
 * @param after position 0 for the beginning
 * @throws CodedError POSITION_NOT_AVAILABLE (beyond the end, or in a block that the journal does not have any more), ENTRIES_ARCHIVED
 */
export const entriesForwards = async function* (
  blocks: Pick<BlockStore, 'after' | 'find' | 'last'>,
  options: {
    shard: string;
    after: ReadingPlace;
    wanted: (entry: Entry) => boolean;
    signal: AbortSignal;
    pollMs: number;
    heartbeatMs: number;
    findArchive: FindArchive;
  },
): AsyncGenerator<Batch> {
  const { shard, wanted, signal, pollMs, heartbeatMs, findArchive } = options;
  let place = options.after;
  const begun = blockOf(place.position);
  if (begun > (await blocks.last(shard))) throw notAvailable();
  const own = place.blockHash === undefined ? undefined : await blocks.find(shard, begun);
  if (own !== undefined && own.hash !== place.blockHash) throw notAvailable();
  /** Next block to read; all before it are done, except the rest of the block of `after`. */
  let next = begun === 0 || place.position === endOf(begun) ? begun + 1 : begun;
  let saidAt = performance.now();
  /** True if the reader has been told that it is current. */
  let told = false;
  while (!signal.aborted) {
    let read = 0;
    for await (const block of blocks.after(shard, next - 1)) {
      if (block.n !== next) throw await missing(findArchive, shard, next);
      // The block of the place may be archived.
      if (block.n > begun && block.prevHash !== (place.blockHash ?? block.prevHash)) throw notAvailable();
      for (const batch of batchesOf(block, place.position, wanted)) {
        yield { ...batch, caughtUp: false };
        saidAt = performance.now();
      }
      place = { position: endOf(block.n), blockHash: block.hash };
      next = block.n + 1;
      read += 1;
      if (read === BLOCKS_PER_QUERY || signal.aborted) break;
    }
    const caughtUp = read < BLOCKS_PER_QUERY;
    if (read > 0) told = false;
    if ((caughtUp && !told) || performance.now() - saidAt >= heartbeatMs) {
      yield { entries: [], place, caughtUp };
      saidAt = performance.now();
      told = caughtUp;
    }
    if (!caughtUp) continue;
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
};
