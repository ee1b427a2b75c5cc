import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { ChainEvent } from '../domain/events.ts';
import { createBlockWindow } from '../ports/block-window.ts';
import type { BlockHeader, ChainNode } from '../ports/chain-node.ts';
import type { Cursor, CursorStore } from '../store/cursors.ts';
import { type Booking, bookTransfers, findSafeTransfers } from './book-transfers.ts';
import { createReadAhead, heard } from './read-ahead.ts';
import { readBlocks } from './read-blocks.ts';

/** Blocks that are read and booked together: enough of them that bookings meet in the ledger, which writes those that do together. */
const WINDOW = 256;

/** How the watching of a chain goes, as this process knows it. */
export type WatchStatus = {
  chainId: number;
  state: 'watching' | 'waiting' | 'halted';
  /** Why it waits or is halted; empty while watching. */
  problem: string;
  cursor: Cursor | undefined;
  finalized: number;
  nodes: number;
  succeededAt: Date | undefined;
};

export type ChainWatchParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: ChainNode;
  nodes: number;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
  /** Block after which to begin at the first start; undefined: the newest finalized one. */
  startBlock: number | undefined;
  cursors: Pick<CursorStore, 'find' | 'begin' | 'advance' | 'halt'>;
  booking: Booking;
  /** Where spending is stopped while the chain is halted. */
  spending: Pick<AccountsClient, 'haltChain' | 'resumeChain'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Logger;
};

export type ChainWatch = {
  /** Books all finalized blocks that are not booked yet. Rejects when a node or the ledger fails; the next round goes on. */
  round: (closed: () => boolean) => Promise<void>;
  status: () => WatchStatus;
  /**
   * Does work while nothing is being booked, and all that was booked is of blocks up to the cursor.
   * @returns undefined while the chain waits or is halted, or when another process has booked something meanwhile
   */
  whileStill: <T>(work: () => Promise<T>) => Promise<{ cursor: Cursor; result: T } | undefined>;
};

/**
 * Watches one chain. The cursor names the last booked block; a block is booked only as the child of it, and only if it is finalized for all
 * nodes. If the nodes agree that the booked block is not part of the chain, finality was broken: the chain is halted, for a person to decide.
 */
export const createChainWatch = (parts: ChainWatchParts): ChainWatch => {
  const { chainId, node, nodes, symbols, startBlock, cursors, booking, spending, runtime, logger } = parts;
  const contracts = [...symbols.keys()];
  const window = createBlockWindow(WINDOW);
  let verified = false;
  let maySpend = false;
  let status: WatchStatus = {
    chainId,
    state: 'waiting',
    problem: 'not begun',
    cursor: undefined,
    finalized: 0,
    nodes,
    succeededAt: undefined,
  };

  /** One step or one reading of a still moment after the other. */
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };

  const begin = async (finalized: number): Promise<Cursor> => {
    const number = startBlock ?? finalized;
    if (number > finalized) throw new Error(`block ${number}, at which to begin, is not finalized yet`);
    return cursors.begin({ chainId, number, hash: (await node.header(number)).hash });
  };

  const halt = async (cursor: Cursor, foundHash: Hex): Promise<void> => {
    const { number: blockNumber, hash: bookedHash } = cursor;
    const payload = { chainId, blockNumber, bookedHash, foundHash };
    const event = { type: 'watch.halted', payload } satisfies ChainEvent;
    await cursors.halt(cursor, { id: runtime.newId(), at: runtime.now(), ...event });
    logger.error(payload, 'a finalized block has been replaced: nothing more is booked on this chain until an operator decides');
  };

  const ahead = createReadAhead(async (from, last) => {
    const blocks = await readBlocks(node, contracts, { from, to: Math.min(from + window.size() - 1, last) });
    return { blocks, found: heard(findSafeTransfers({ chainId, node, symbols }, blocks, booking.accounts.findBySafes)) };
  });

  /**
   * Reports whether the cursor is still there, and the chain not halted. Blocks that were read ahead may have waited for long.
   * @throws Error when the last of them is not part of the chain any more: the next round finds out whether a booked one is
   */
  const mayBook = async (cursor: Cursor, last: BlockHeader): Promise<boolean> => {
    const [current, { hash }] = await Promise.all([cursors.find(chainId), node.header(last.number)]);
    if (hash !== last.hash) throw new Error(`block ${last.number} was final when it was read, and has been replaced`);
    return current?.hash === cursor.hash && current.haltedAt === undefined;
  };

  /** Books the next blocks. @returns the new cursor; undefined when another process moved it, or the chain is halted */
  const step = async (cursor: Cursor, finalized: number): Promise<Cursor | undefined> => {
    const { blocks, found } = await ahead.take(cursor.number + 1, finalized);
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there are no blocks to book');
    if (first.parentHash !== cursor.hash) throw new Error(`block ${first.number} is not the child of the booked block`);
    const transfers = await found;
    if (!(await mayBook(cursor, last))) return undefined;
    await bookTransfers(transfers, booking);
    const next = { chainId, number: last.number, hash: last.hash };
    return (await cursors.advance(cursor, next)) ? next : undefined;
  };

  const work = async (closed: () => boolean): Promise<void> => {
    if (!verified) {
      const actual = await node.chainId();
      if (actual !== chainId) throw new Error(`a node configured for chain ${chainId} serves chain ${actual}`);
      verified = true;
    }
    let cursor = await cursors.find(chainId);
    if (cursor?.haltedAt !== undefined) {
      status = { ...status, state: 'halted', problem: `block ${cursor.number} was booked as finalized and has been replaced`, cursor };
      maySpend = false;
      // It stays halted, whether the ledger hears of it now or in the next round.
      await spending.haltChain(chainId).catch((err: unknown) => logger.error({ err, chainId }, 'stopping the spending failed, will retry'));
      return;
    }
    const finalized = await node.finalizedNumber();
    cursor ??= await begin(finalized);
    status = { ...status, cursor, finalized };
    if (finalized < cursor.number) throw new Error(`the nodes are behind: block ${cursor.number} is booked, ${finalized} is finalized`);
    const { hash } = await node.header(cursor.number);
    if (hash !== cursor.hash) {
      await halt(cursor, hash);
      return work(closed);
    }
    ahead.forget();
    while (cursor !== undefined && cursor.number < finalized && !closed()) {
      const from: Cursor = cursor;
      cursor = await alone(() => step(from, finalized));
      if (cursor !== undefined) status = { ...status, cursor };
      window.grow();
    }
    if (cursor === undefined) return work(closed);
    // Once after each start as well: the process may have ended before it could say so.
    if (!maySpend) {
      await spending.resumeChain(chainId);
      // Another process may have halted the chain since it was read here, and have told the ledger before this one did.
      if ((await cursors.find(chainId))?.haltedAt !== undefined) return work(closed);
      maySpend = true;
    }
    status = { ...status, state: 'watching', problem: '', succeededAt: runtime.now() };
  };

  return {
    round: async (closed) => {
      try {
        await work(closed);
      } catch (error) {
        window.shrink();
        status = { ...status, state: 'waiting', problem: error instanceof Error ? error.message : String(error) };
        throw error;
      }
    },
    status: () => status,
    whileStill: (work) =>
      alone(async () => {
        // After a round that failed, a part of a block may be booked.
        if (status.state !== 'watching') return undefined;
        const cursor = await cursors.find(chainId);
        if (cursor === undefined || cursor.haltedAt !== undefined) return undefined;
        const result = await work();
        const after = await cursors.find(chainId);
        return after?.hash === cursor.hash ? { cursor, result } : undefined;
      }),
  };
};
