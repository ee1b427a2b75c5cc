import { readFile } from 'node:fs/promises';
import { migrate } from '@florin/data/migrations';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reserve, type Spending, usedOf } from '../domain/spending.ts';
import { createSpendingBook, type SpendingBook } from '../payments/spending-book.ts';
import { paymentModel } from './payment-model.ts';
import { createPaymentStore } from './payments.ts';
import { SCHEMA } from './schema.ts';
import { createSpendingStore, type SpendingStore } from './spendings.ts';

/** Spending documents as they were written before schema 2: a card with requests under way, an account, and a card that was never used. */
type Fixture = { writtenAt: string; documents: { spendings: object[] } };
type Document = { _id: string; revision: number };

/** More than a migration changes in one write. */
const COPIES = 600;

const read = async (): Promise<{ now: Date; documents: [card: Document, account: Document, unused: Document] }> => {
  const file = new URL('../testing/fixtures/card-schema-1.json', import.meta.url);
  const { writtenAt, documents } = JSON.parse(await readFile(file, 'utf8')) as Fixture;
  const [card, account, unused] = documents.spendings.map((document) => mongo.BSON.EJSON.deserialize(document) as Document);
  if (card === undefined || account === undefined || unused === undefined) throw new Error('the fixture is incomplete');
  return { now: new Date(writtenAt), documents: [card, account, unused] };
};

let store: Store;
let spendings: SpendingStore;
beforeEach(async () => {
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
  spendings = createSpendingStore(store.connection);
});
afterEach(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const collection = () => store.connection.collection<{ _id: string; entries?: object[] }>('spendings');
const formerDocuments = () => collection().countDocuments({ entries: { $exists: true } });
const runMigration = ({ contract } = { contract: true }) =>
  migrate({ connection: store.connection, schema: SCHEMA, contract, report: () => undefined });

const found = async (id: string): Promise<Spending> => {
  const spending = await spendings.find(id);
  if (spending === undefined) throw new Error(`${id} is not stored`);
  return spending;
};

/** Pays one cent within a daily limit. @returns whether there was room */
const pay = (book: SpendingBook, id: string, now: Date, daily: bigint): Promise<boolean> =>
  book.change(id, (spending) => {
    const key = { paymentId: crypto.randomUUID(), at: now, atm: false };
    const request = { eventId: crypto.randomUUID(), claimId: 'claim', amount: 1n, at: now };
    const next = reserve(spending, key, request, { limits: { daily }, counts: {}, now });
    return typeof next === 'string' ? { spending, result: false } : { spending: next, result: true };
  });

describe('a database that was written before schema 4', () => {
  const ids = (transactionId?: string, network?: string) => ({
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(network === undefined ? {} : { network: { transactionId: network } }),
  });

  it('finds payments by the ids of all of their events, once it is migrated', async () => {
    const collected = store.connection.collection<{ _id: string; listId: string; accountId: string } & Record<string, unknown>>('payments');
    const account = { accountId: 'account', effects: [], ledgerEntries: [] };
    const complete = { transactionId: 'T1', networkTransactionId: 'N1', otherIds: ['T2'], events: [ids(), ids('T2', 'N1')] };
    await collected.insertMany([
      {
        _id: 'a',
        listId: 'a',
        ...account,
        transactionId: 'T3',
        networkTransactionId: 'N3',
        events: [ids(undefined, 'N3'), ids('T4', 'N4'), ids('T4')],
      },
      { _id: 'b', listId: 'b', ...account, transactionId: 'T5', events: [ids(), ids()] },
      { _id: 'c', listId: 'c', ...account, ...complete },
      { _id: 'd', listId: 'd', ...account, otherIds: ['T6'], events: [ids('T7'), ids('T6', 'N7')] },
    ]);
    const payments = createPaymentStore(
      paymentModel(store.connection),
      { now: () => new Date(), newId: () => crypto.randomUUID() },
      { currency: 'EUR', decimals: 2 },
    );
    const foundBy = async (...names: string[]) =>
      Promise.all(names.map(async (name) => (await payments.findByTransaction('account', name)).map(({ id }) => id).join()));
    expect(await foundBy('T4', 'N4', 'T7', 'N7')).toEqual(['', '', '', '']);
    expect(await runMigration()).toBe(SCHEMA.version);
    expect(await foundBy('T4', 'N4', 'T7', 'N7', 'T6', 'N3', 'T2', 'N1')).toEqual(['a', 'a', 'd', 'd', 'd', 'a', 'c', 'c']);
    const stored = await collected.find().sort({ _id: 1 }).toArray();
    expect(stored.map(({ otherIds }) => otherIds)).toEqual([['N4', 'T4'], undefined, ['T2'], expect.arrayContaining(['T6', 'T7', 'N7'])]);
    expect(stored[2]).toEqual({ _id: 'c', listId: 'c', ...account, ...complete });
  });

  it('is migrated once', async () => {
    const collected = store.connection.collection<{ _id: string }>('payments');
    const documents = Array.from({ length: COPIES }, (_, index) => ({ _id: `${index}`, events: [ids(`T${index}`)] }));
    await collected.insertMany(documents);
    const lines: string[] = [];
    const run = () => migrate({ connection: store.connection, schema: SCHEMA, contract: true, report: (line) => void lines.push(line) });
    await Promise.all([run(), run()]);
    expect(await run()).toBe(SCHEMA.version);
    expect(lines.filter((line) => line.startsWith('schema 4'))).toEqual([
      expect.stringContaining(`${COPIES} documents of payments changed`),
    ]);
  });
});

describe('a database that was written before schema 3', () => {
  it('loses the sparse indexes that are replaced by partial ones, and no others', async () => {
    await collection().insertOne({ _id: 'card' });
    await runMigration();
    await store.connection
      .collection<{ _id: string; version: number }>('database_records')
      .updateOne({ _id: 'schema' }, { $set: { version: 2 } });
    const payments = store.connection.collection('payments');
    await payments.createIndex({ creditExpiresAt: 1 }, { sparse: true });
    await payments.createIndex({ expiresAt: 1 }, { sparse: true });
    // Earlier instances use them.
    expect(await runMigration({ contract: false })).toBe(2);
    expect(await payments.indexes()).toHaveLength(3);
    for (let time = 0; time < 2; time += 1) expect(await runMigration()).toBe(SCHEMA.version);
    expect((await payments.indexes()).map(({ name }) => name)).toEqual(['_id_', 'expiresAt_1']);
  });
});

describe('a database that was written before schema 2', () => {
  it('has the same limits, controls and uses before and after its migration', async () => {
    const { now, documents } = await read();
    await collection().insertMany(documents);
    const spent = async () => {
      const [card, account, unused] = await Promise.all(documents.map(({ _id }) => found(_id)));
      return { card, account, unused };
    };
    const before = await spent();
    expect(before).toMatchObject({
      card: { limits: { daily: 100_000n, atm: 30_000n }, controls: { onlineOff: true }, clockAhead: 3600, revision: 7 },
      account: { limits: {}, revision: 2 },
      unused: { limits: { daily: 5_000n }, entries: [] },
    });
    const used = ({ card, account }: Awaited<ReturnType<typeof spent>>) =>
      card && account && [usedOf(card, 'daily', now), usedOf(card, 'atm', now), usedOf(account, 'monthly', now)];
    expect(used(before)).toEqual([34_000n, 20_000n, 7_000n]);
    expect(await runMigration()).toBe(SCHEMA.version);
    expect(await formerDocuments()).toBe(0);
    expect(await spent()).toEqual(before);
    expect(await runMigration()).toBe(SCHEMA.version);
    expect(await spent()).toEqual(before);
  });

  it('still has the requests under way, for the sweeper to end', async () => {
    const { now, documents } = await read();
    const [card] = documents;
    await collection().insertMany(documents);
    const underWay = async () =>
      (await spendings.findReserved(new Date(now.getTime() + 1), 10)).map(({ id, entries }) => ({ id, entries }));
    const before = await underWay();
    expect(before.map(({ id }) => id)).toEqual([card._id]);
    await runMigration();
    expect(await underWay()).toEqual(before);
  });

  it('keeps limits exact while it is migrated and instances serve', async () => {
    const { now, documents } = await read();
    const [card] = documents;
    const ids = Array.from({ length: COPIES }, (_, index) => `card-${index}`);
    await collection().insertMany(ids.map((_id) => ({ ...card, _id })));
    const books = [createSpendingBook({ spendings }), createSpendingBook({ spendings: createSpendingStore(store.connection) })];
    // 34,000 are used by payments, so that each card has room for 3 of 4.
    const payAt = (id: string) => Promise.all([0, 1, 2, 3].map((index) => pay(books[index % 2] as SpendingBook, id, now, 34_003n)));
    const [paid] = await Promise.all([Promise.all(ids.map(payAt)), runMigration(), runMigration()]);
    expect(paid.map((results) => results.filter((room) => room).length)).toEqual(ids.map(() => 3));
    const after = await Promise.all(ids.map(found));
    expect(after.map((spending) => usedOf(spending, 'daily', now))).toEqual(ids.map(() => 34_003n));
    expect(await formerDocuments()).toBe(0);
  });
});
