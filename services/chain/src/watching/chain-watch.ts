import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { ChainEvent } from '../domain/events.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { Cursor, CursorStore } from '../store/cursors.ts';
import { type Booking, bookBlocks } from './book-blocks.ts';
import { readBlocks } from './read-blocks.ts';

/** Blocks that are read and booked together. */
const WINDOW = 64;

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
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Logger;
};

export type ChainWatch = {
  /** Books all finalized blocks that are not booked yet. Rejects when a node or the ledger fails; the next round goes on. */
  round: (closed: () => boolean) => Promise<void>;
  status: () => WatchStatus;
};

/**
 * Watches one chain. The cursor names the last booked block; a block is booked only as the child of it, and only if it is finalized for all
 * nodes. If the nodes agree that the booked block is not part of the chain, finality was broken: the chain is halted, for a person to decide.
 */
export const createChainWatch = (parts: ChainWatchParts): ChainWatch => {
  const { chainId, node, nodes, symbols, startBlock, cursors, booking, runtime, logger } = parts;
  const contracts = [...symbols.keys()];
  let verified = false;
  let status: WatchStatus = {
    chainId,
    state: 'waiting',
    problem: 'not begun',
    cursor: undefined,
    finalized: 0,
    nodes,
    succeededAt: undefined,
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

  /** Books the next blocks. @returns the new cursor; undefined when another process moved it, or the chain is halted */
  const step = async (cursor: Cursor, finalized: number): Promise<Cursor | undefined> => {
    const to = Math.min(cursor.number + WINDOW, finalized);
    const blocks = await readBlocks(node, contracts, { from: cursor.number + 1, to });
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there are no blocks to book');
    if (first.parentHash !== cursor.hash) throw new Error(`block ${first.number} is not the child of the booked block`);
    await bookBlocks({ chainId, node, symbols }, blocks, booking);
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
    while (cursor !== undefined && cursor.number < finalized && !closed()) {
      cursor = await step(cursor, finalized);
      if (cursor !== undefined) status = { ...status, cursor };
    }
    status = { ...status, state: 'watching', problem: '', succeededAt: runtime.now() };
  };

  return {
    round: async (closed) => {
      try {
        await work(closed);
      } catch (error) {
        status = { ...status, state: 'waiting', problem: error instanceof Error ? error.message : String(error) };
        throw error;
      }
    },
    status: () => status,
  };
};
