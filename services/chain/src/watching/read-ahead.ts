import type { SafeTransfer, ScannedBlock } from '../domain/transfer.ts';

/** Some blocks in order, and their transfers to and from Safes, which are looked for once the blocks are read. */
export type Window = { blocks: readonly ScannedBlock[]; found: Promise<readonly SafeTransfer[]> };

/** Windows that are read before the first of them is booked: while the accounts of one are found, the blocks of the next are read. */
const DEPTH = 2;

/** Transfers of those windows after which none is added: all are in memory together. */
const MAX_TRANSFERS = 50_000;

export type ReadAhead = {
  /**
   * Returns the window that begins with a block, and reads those after it meanwhile. Blocks read ahead for another position are dropped.
   * @param last number of the last block that may be read
   * @throws Error when a node fails; the same window may be taken again
   */
  take: (from: number, last: number) => Promise<Window>;
  /** Gives up what was read ahead: the chain may have changed since. */
  forget: () => void;
};

type Ahead = { from: number; window: Promise<Window>; transfers: number };

/** The caller that takes the result learns of a failure; there may be none. */
export const heard = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};

/**
 * Reads windows one after the other, ahead of whoever takes them.
 * @param read returns the window that begins with a block and ends before or with the last, once its blocks are read
 */
export const createReadAhead = (read: (from: number, last: number) => Promise<Window>): ReadAhead => {
  let waiting: Ahead[] = [];
  /** The one that was begun last, taken or not: the next one begins after it. */
  let newest: Ahead | undefined;

  const begin = (from: number, last: number): Ahead => {
    newest = { from, window: heard(read(from, last)), transfers: 0 };
    return newest;
  };

  const extendAfter = (one: Ahead, last: number): void => {
    const extend = ({ blocks }: Window): void => {
      one.transfers = blocks.reduce((sum, { transfers }) => sum + transfers.length, 0);
      const end = blocks.at(-1)?.number ?? last;
      const held = waiting.reduce((sum, { transfers }) => sum + transfers, 0);
      if (newest !== one || waiting.length >= DEPTH || held > MAX_TRANSFERS || end >= last) return;
      const next = begin(end + 1, last);
      waiting.push(next);
      extendAfter(next, last);
    };
    one.window.then(extend, () => undefined);
  };

  const forget = (): void => {
    waiting = [];
    newest = undefined;
  };

  return {
    take: async (from, last) => {
      if (waiting[0]?.from !== from) forget();
      const taken = waiting.shift() ?? begin(from, last);
      if (newest !== undefined) extendAfter(newest, last);
      return taken.window;
    },
    forget,
  };
};
