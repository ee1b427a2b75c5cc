import type { Hex } from '@florin/evm/hex';
import type { ErrorCode } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import type { WatchException } from '../domain/exception.ts';
import { type SafeTransfer, transferKey } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { Cursor } from '../store/cursors.ts';
import { createChainWatch } from '../watching/chain-watch.ts';

/** Runs before and after each step that leaves the process; may throw, as a kill or a lost answer does. */
type Interrupt = () => void;

/** The parts that outlive a killed watcher, in memory: its stores, and a ledger that books each transfer once. */
export const createMemoryParts = (accountOfSafe: ReadonlyMap<Hex, string>, interrupt: Interrupt = () => undefined) => {
  let cursor: Cursor | undefined;
  const booked = new Map<string, SafeTransfer>();
  const transfers = new Map<string, SafeTransfer>();
  const exceptions = new Map<string, WatchException>();
  const blocked = new Set<string>();
  const halted = new Set<string>();
  /** Codes with which the ledger refuses, by account. */
  const refusals = new Map<string, ErrorCode>();

  const step = async <T>(work: () => T): Promise<T> => {
    interrupt();
    const result = work();
    interrupt();
    return result;
  };
  const isCurrent = (from: Cursor): boolean => cursor?.number === from.number && cursor.hash === from.hash && cursor.haltedAt === undefined;

  const parts = {
    cursors: {
      find: () => step(() => cursor),
      begin: (first: Cursor) =>
        step(() => {
          cursor ??= first;
          return cursor;
        }),
      advance: (from: Cursor, to: Pick<Cursor, 'number' | 'hash'>) =>
        step(() => {
          if (!isCurrent(from)) return false;
          cursor = { chainId: from.chainId, ...to };
          return true;
        }),
      halt: (at: Cursor) =>
        step(() => {
          if (!isCurrent(at)) return false;
          cursor = { ...at, haltedAt: new Date() };
          return true;
        }),
    },
    spending: {
      haltChain: () => step(() => void halted.add('spending')),
      resumeChain: () => step(() => void halted.delete('spending')),
    },
    booking: {
      settle: () => step(() => false),
      now: () => new Date(),
      accounts: {
        findBySafes: (_chainId: number, addresses: readonly Hex[]) =>
          step(() => new Map(addresses.flatMap((address) => [[address, accountOfSafe.get(address)] as const]).filter(isFound))),
        block: (accountId: string) => step(() => void blocked.add(accountId)),
      },
      movements: {
        book: (transfer: SafeTransfer) =>
          step(() => {
            const refusal = refusals.get(transfer.accountId);
            if (refusal !== undefined) return refusal;
            const key = transferKey(transfer);
            const known = booked.get(key);
            // The ledger's idempotency: the same event with other content would be an error of the watcher.
            if (known !== undefined && (known.amount !== transfer.amount || known.accountId !== transfer.accountId)) {
              throw new Error(`${key} was booked with other content`);
            }
            booked.set(key, transfer);
            return undefined;
          }),
      },
      transfers: {
        save: (found: readonly SafeTransfer[]) =>
          step(() => {
            for (const transfer of found) transfers.set(transferKey(transfer), transfer);
          }),
      },
      exceptions: {
        find: (id: string) => step(() => exceptions.get(id)),
        open: (exception: WatchException) =>
          step(() => {
            if (!exceptions.has(exception.id)) exceptions.set(exception.id, exception);
          }),
      },
    },
  };

  return {
    /** A watcher on these parts, as after a restart. */
    start: (node: ChainNode, symbols: ReadonlyMap<Hex, string>) => {
      let id = 0;
      const newId = () => {
        id += 1;
        return `id ${id}`;
      };
      const runtime = { now: () => new Date(), newId };
      return createChainWatch({ chainId: 100, node, nodes: 2, symbols, startBlock: 0, logger: quietLogger, runtime, ...parts });
    },
    /** The booked balances of an account, by token. */
    balance: (accountId: string, token: string): bigint =>
      [...booked.values()]
        .filter((transfer) => transfer.accountId === accountId && transfer.token === token)
        .reduce((sum, { direction, amount }) => sum + (direction === 'in' ? amount : -amount), 0n),
    booked,
    transfers,
    exceptions,
    blocked,
    /** Reports whether spending is stopped. */
    isHalted: () => halted.size > 0,
    refusals,
    cursor: () => cursor,
    /** Puts the cursor where it was, as an operator may. */
    rewind: (to: Cursor) => {
      cursor = to;
    },
  };
};

const isFound = (entry: readonly [Hex, string | undefined]): entry is readonly [Hex, string] => entry[1] !== undefined;
