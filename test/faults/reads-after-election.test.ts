import { randomBytes, randomUUID } from 'node:crypto';
import { cardholderModel } from '@florin/card/testing/cardholder-model';
import { createCardholderStore } from '@florin/card/testing/cardholders';
import { createRelayJobStore } from '@florin/chain/testing/relay-jobs';
import { createFieldCipher } from '@florin/data/encryption';
import { createBatchedReads, openStore, rawCollection, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { createSessionStore } from '@florin/identity/testing/session-store';
import { createHaltedChainStore } from '@florin/ledger/testing/halted-chains';
import { createTokenBlockStore } from '@florin/ledger/testing/token-blocks';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { challengeModel } from '@florin/threeds/testing/challenge-model';
import { createChallengeQueries } from '@florin/threeds/testing/challenge-queries';
import { createConsumptionStore } from '@florin/threeds/testing/consumptions';
import { Schema } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReplicaSet } from '../support/replica-set/replica-set.ts';

type Thing = { _id: string; size: number };

const newCipher = () => createFieldCipher([{ id: '1', key: randomBytes(32) }], randomBytes(32));

let set: ReplicaSet;
let store: Store;
beforeEach(async () => {
  const { mongodbUri, database } = testEngines();
  set = await ReplicaSet.start({ mongodbUri });
  store = await openStore({ uri: set.uri(), database, poolSize: 8, logger: quietLogger });
});
afterEach(async () => {
  set.release();
  await store.connection.dropDatabase();
  await store.close();
  await set.close();
});

/** Writes something that is acknowledged, at a primary that is replaced by one that does not know yet that a majority has it. */
const acknowledged = async (write: () => Promise<unknown>): Promise<void> => {
  set.hold({ isAcknowledged: true });
  await write();
  set.hold();
  await set.failover({ electionMs: 0 });
};
/** Repeats a read until the driver has found the new primary. */
const atTheNewPrimary = <T>(read: () => Promise<T>): Promise<T> =>
  waitFor('the new primary', () =>
    read().then(
      (value) => ({ value }),
      () => undefined,
    ),
  ).then(({ value }) => value);
/** Number of documents as the new primary knows that a majority has them. */
const countAtMajority = (collection: string) => store.connection.collection(collection).countDocuments();
const learnsSoon = () => setTimeout(() => set.release(), 300);

describe('right after an election', () => {
  it('a document is found by those who refuse something without it, and its last change by those who ask for it', async () => {
    const things = rawCollection(
      store.connection.model<Thing>('Thing', new Schema<Thing>({ _id: String }, { collection: 'things', strict: false })),
    );
    await things.insertOne({ _id: 'old', size: 1 });
    const [plain, latest] = [createBatchedReads(things), createBatchedReads(things, { isLatest: true })];
    const proving = createBatchedReads(things, { provesAbsence: true });
    await acknowledged(() => things.insertOne({ _id: 'new', size: 1 }));
    expect(await atTheNewPrimary(() => plain('new'))).toBeUndefined();
    expect(await latest('new')).toMatchObject({ size: 1 });
    learnsSoon();
    expect(await Promise.all([proving('new'), proving('old'), proving('none')])).toMatchObject([{ size: 1 }, { size: 1 }, undefined]);
    await acknowledged(() => things.updateOne({ _id: 'old' }, { $set: { size: 2 } }));
    expect(await atTheNewPrimary(() => plain('old'))).toMatchObject({ size: 1 });
    expect(await latest('old')).toMatchObject({ size: 2 });
  });

  it('a session is proven to be where its last refresh has taken it', async () => {
    const sessions = createSessionStore(store.connection, newCipher());
    const now = new Date();
    const expiresAt = new Date(now.getTime() + 60_000);
    const opened = { id: 'one', wallet: '0x', partnerId: 'acme', salt: 'salt', generation: 0, createdAt: now, lastUsedAt: now, expiresAt };
    await sessions.add(opened);
    await acknowledged(() => sessions.rotate('one', 0, now, expiresAt));
    expect(await atTheNewPrimary(() => sessions.find('one'))).toMatchObject({ generation: 0 });
    learnsSoon();
    expect(await sessions.findProven('one')).toMatchObject({ generation: 1 });
    expect(await sessions.findProven('none')).toBeUndefined();
  });

  it('halts of chains and blocks of tokens are known', async () => {
    const [chains, blocks] = [createHaltedChainStore(store.connection), createTokenBlockStore(store.connection)];
    const bound = { chainId: 100, until: new Date() };
    const block = { token: 'EURe', reason: 'frozen' as const, since: new Date() };
    await acknowledged(async () => {
      await chains.add(10, new Date());
      await chains.renew(bound.chainId, bound.until);
      await blocks.add(block);
    });
    expect(await atTheNewPrimary(() => countAtMajority('halted_chains'))).toBe(0);
    expect([await chains.ids(), await chains.bounds(), await blocks.all()]).toEqual([[10], [bound], [block]]);
  });

  it('an approval counts from its decision on, and no more for a request that has given it back', async () => {
    const model = challengeModel(store.connection);
    const challenges = rawCollection(model);
    const [queries, consumptions] = [createChallengeQueries(model), createConsumptionStore(model, 30)];
    const now = new Date();
    const facts = { cardId: 'card', amount: '100', currency: 'EUR', merchant: {} };
    await challenges.insertOne({ _id: 'one', status: 'pending', ...facts } as never);
    const approved = { status: 'approved', receipt: { decidedAt: now }, valueHash: 'hash' } as const;
    await acknowledged(() => challenges.updateOne({ _id: 'one' }, { $set: approved } as never));
    expect(await atTheNewPrimary(() => challenges.findOne({ _id: 'one' }))).toMatchObject({ status: 'pending' });
    expect(await queries.findNamed({ valueHash: 'hash' })).toMatchObject({ id: 'one' });
    learnsSoon();
    const use = { paymentId: 'payment', requestId: 'request' };
    const payment = { ...use, ...facts, amount: 100n, approvedBefore: 0n, decidedRequestIds: [], merchantId: '' };
    expect(await consumptions.consume('one', payment, now)).toBe(true);
    expect(await consumptions.consume('one', payment, now)).toBe(true);
    await acknowledged(() => consumptions.release('one', use));
    expect(await atTheNewPrimary(() => challenges.findOne({ _id: 'one' }))).toMatchObject({
      consumedBy: { requests: [{ id: 'request' }] },
    });
    learnsSoon();
    expect(await consumptions.consume('one', payment, now)).toBe(false);
  });

  it('an erased person and a transaction that the platform has sent are known', async () => {
    const stamp = { newId: randomUUID, now: () => new Date() };
    const cardholders = createCardholderStore(cardholderModel(store.connection), stamp, newCipher());
    const jobs = createRelayJobStore(store.connection);
    const relayer = '0xaa';
    const job = { id: 'job', chainId: 100, to: '0xbb', data: '0x', gas: 1n, createdAt: new Date() } as const;
    await jobs.add(job);
    await jobs.take(job.id, { relayer, exclusive: [] });
    await acknowledged(async () => {
      await cardholders.erase('person');
      const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
      const attempt = { from: relayer, nonce: 0, raw: '0x', hash: '0xcc', at: new Date(), ...fees } as const;
      expect(await jobs.addAttempt({ ...job, status: 'queued', attempts: [] }, attempt)).toBe(true);
    });
    expect(await atTheNewPrimary(() => countAtMajority('cardholders'))).toBe(0);
    expect([await cardholders.isErased('person'), await jobs.isSent('0xcc')]).toEqual([true, true]);
  });
});
