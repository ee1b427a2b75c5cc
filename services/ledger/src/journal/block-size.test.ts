import { toCodedError } from '@florin/rpc/errors';
import { afterEach, describe, expect, it } from 'vitest';
import type { Intent } from '../domain/draft-block.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { NO_METADATA } from '../domain/metadata.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { createMemoryStores } from '../testing/memory-stores.ts';
import { accounts, closeJournals, EURE, nextId, openNext, SHARD, sound } from '../testing/next-journal.ts';
import type { Journal, Outcome } from './journal.ts';

afterEach(closeJournals);

/** The engine takes no larger document. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const CALLS = 5;
/** Entries of a call that together are about 1 MiB over the wire, the most that one brings. */
const PER_CALL = 500;

/** A payment whose metadata is as long as metadata may be, of characters that take more bytes in a block than over the wire. */
const payment = (accountId: string) =>
  transferOrdered({
    id: nextId(),
    accountId,
    transfers: [{ debit: 'settlement', credit: userAccount(accountId, 'available'), token: EURE.symbol, amount: 1n }],
    metadata: {
      ...NO_METADATA,
      actor: '\u0001'.repeat(128),
      reason: '\u0001'.repeat(512),
      externalReference: '\u0001'.repeat(128),
      labels: { note: '\u0001'.repeat(1020) },
    },
  });

/** Books intents. A loaded machine makes a call time out; their ids tell what was booked then. */
const book = async (journal: Journal, intents: readonly Intent[]): Promise<readonly Outcome[]> => {
  for (;;) {
    try {
      return await journal.append(intents);
    } catch (error) {
      if (toCodedError(error).code !== 'SERVICE_UNAVAILABLE') throw error;
    }
  }
};

describe('a block', () => {
  it('is no larger than the engine takes, whatever the metadata of its entries', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores, { maxBlockEntries: 10_000 });
    await book(journal, accounts('a'));
    const calls = Array.from({ length: CALLS }, () => Array.from({ length: PER_CALL }, () => payment('a')));
    const outcomes = (await Promise.all(calls.map((intents) => book(journal, intents)))).flat();
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([]);
    let largest = 0;
    for await (const { body } of stores.blocks.after(SHARD, 0)) largest = Math.max(largest, Buffer.byteLength(body));
    expect(largest).toBeLessThan(MAX_DOCUMENT_BYTES);
    await sound(stores);
  }, 120_000);
});
