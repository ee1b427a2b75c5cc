import { DEFAULT_ASSETS, type Token } from '@florin/rpc/assets';
import { quietLogger } from '@florin/rpc/testing';
import { expect } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { balanceOf } from '../domain/account-state.ts';
import type { Intent } from '../domain/draft-block.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { type Journal, type JournalOptions, openJournal, standBy } from '../journal/journal.ts';
import { verifyShard } from './audit-memory.ts';
import type { MemoryStores } from './memory-stores.ts';

export const SHARD = '0';
export const [EURE] = DEFAULT_ASSETS.tokens as [Token];

let terms = 0;
let living: Journal[] = [];

/** Closes what a test has opened: to be called after each. */
export const closeJournals = async (): Promise<void> => {
  await Promise.all(living.map((journal) => journal.close()));
  living = [];
};

const optionsOf = (stores: MemoryStores) => ({
  shard: SHARD,
  ...stores,
  runtime: { now: () => new Date() },
  logger: quietLogger,
  maxBlockEntries: 1000,
  maxQueue: 100_000,
  runEntries: 5,
  runsPerMerge: 3,
  maxAccounts: 1,
  refreshMs: 3_600_000,
  projectionWaitMs: 2000,
});

const nextTerm = async (open: (epoch: number) => Promise<Journal>): Promise<Journal> => {
  terms += 1;
  const journal = await open(terms);
  living.push(journal);
  return journal;
};

/** Opens a journal for the next term of the stores, or for the one that is given. */
export const openNext = (stores: MemoryStores, more: Partial<JournalOptions> = {}): Promise<Journal> =>
  nextTerm((epoch) => openJournal({ ...optionsOf(stores), epoch, ...more }));

/** Follows the stores' journal. `begin` opens it for the next term. */
export const followNext = (stores: MemoryStores, more: Partial<JournalOptions> = {}) => {
  const { warm, begin, close } = standBy({ ...optionsOf(stores), ...more });
  return { warm, begin: () => nextTerm(begin), close };
};

let ids = 0;
export const nextId = (): string => {
  ids += 1;
  return `id${ids}`;
};
export const transfer = (debit: string, credit: string, amount: bigint): Intent => {
  const side = (name: string) => (name.length === 1 ? userAccount(name, 'available') : name);
  const transfers = [{ debit: side(debit), credit: side(credit), token: EURE.symbol, amount }];
  return transferOrdered({ id: nextId(), accountId: debit.length === 1 ? debit : credit, transfers });
};
/** Accounts that may pay, and what `settlement` gives them. */
export const accounts = (...names: string[]): Intent[] =>
  names.flatMap((name) => [accountOpened(name), accountActivated(name), transfer('settlement', name, 100n)]);
export const kinds = (outcomes: readonly { kind: string }[]): string[] => [...new Set(outcomes.map(({ kind }) => kind))];
export const available = async (journal: Journal, name: string): Promise<bigint> => {
  const state = await journal.account(name);
  return state === undefined ? -1n : balanceOf(state, EURE.symbol, 'available');
};
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );
export const sound = async (stores: MemoryStores): Promise<void> => {
  expect((await verifyShard({ shard: SHARD, ...stores })).bad).toBeUndefined();
};

/** A door that a test shuts and opens. */
export const createDoor = () => {
  let release = (): void => undefined;
  let opened: Promise<void> = Promise.resolve();
  return {
    shut: () => {
      opened = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => release(),
    pass: () => opened,
  };
};
