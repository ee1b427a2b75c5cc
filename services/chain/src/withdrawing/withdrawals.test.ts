import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { EntryTotals } from '../clients/ledger-entries.ts';
import { createExceptionStore } from '../store/exceptions.ts';
import { createSafeWithdrawalStore, type SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import { createTransferStore } from '../store/transfers.ts';
import { createWithdrawalScene, SIGNATURE } from '../testing/withdrawal-scene.ts';
import { screenWithdrawal } from './screen-withdrawal.ts';
import { settleTransfer } from './settle-transfer.ts';

class Killed extends Error {}

const NO_ENTRIES: EntryTotals = {
  ...{ booked: 0n, elsewhere: 0n, refused: 0n, nettings: 0, netted: 0n },
  ...{ settling: 0n, held: 0n, incoming: 0n },
};

const open = () => false;

/** Every step in `npm run proof`. */
const STRIDE = inject('proof') ? 1 : 3;

describe('a withdrawal', { timeout: 180_000 }, () => {
  let connection: Awaited<ReturnType<typeof openStore>>['connection'];
  let store: SafeWithdrawalStore;
  beforeAll(async () => {
    const { mongodbUri, database } = testEngines();
    const opened = await openStore({ uri: mongodbUri, database: `${database}_withdrawals`, poolSize: 2, logger: quietLogger });
    ({ connection } = opened);
    store = createSafeWithdrawalStore(connection);
    await opened.ready();
  }, 60_000);
  afterAll(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });

  /** Carries a withdrawal out in processes the first of which is killed at one step. @returns whether it came to that */
  const run = async (killAt: number, arrives: boolean, isMove = false): Promise<boolean> => {
    const { start, offer, offerMove, booked, jobs, added, execute, advance, transfer } = createWithdrawalScene(store);
    const { id } = await (isMove ? offerMove() : offer());
    let [steps, killed] = [0, false];
    const step = (): void => {
      steps += 1;
      if (killed || steps !== killAt) return;
      killed = true;
      throw new Killed();
    };
    for (let process = 0; process < 4; process += 1) {
      try {
        const { withdrawals, settling } = start(step);
        const current = await store.find(id);
        if (current?.status === 'offered') await withdrawals.submit(current, SIGNATURE);
        else await withdrawals.round(open);
        const signed = await store.find(id);
        if (jobs.size === 0 || signed === undefined) continue;
        execute(signed);
        if (arrives) await settleTransfer(settling, transfer);
        advance();
        await withdrawals.round(open);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    const end = arrives ? 'completed' : 'failed';
    expect((await store.find(id))?.status, `killed at ${killAt}`).toBe(end);
    expect([...booked]).toEqual([[id, end]]);
    // One transaction, with the same signatures however often it was made.
    expect(jobs.size).toBe(1);
    expect(new Set(added).size).toBe(1);
    return killed;
  };

  it('returns a rejected deposit once, by the one of two that claimed it, whatever the limits, and sets nothing aside', async () => {
    const rules = { perDay: 0, coolingMs: 60_000, minimums: new Map([['EURe', 6n]]) };
    const { start, offerReturn, returned, booked, jobs, execute, advance, transfer } = createWithdrawalScene(store, rules);
    const [first, second] = [await offerReturn(), await offerReturn()];
    const { withdrawals, settling } = start();
    const submitted = await Promise.allSettled([withdrawals.submit(first, SIGNATURE), withdrawals.submit(second, SIGNATURE)]);
    expect(submitted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = returned.by === first.id ? [first, second] : [second, first];
    expect([(await store.find(winner.id))?.status, (await store.find(loser.id))?.refusal]).toEqual(['signed', 'WITHDRAWAL_IN_PROGRESS']);
    expect(jobs.size).toBe(1);
    execute(winner);
    for (let times = 0; times < 2; times += 1) expect(await settleTransfer(settling, transfer)).toBe(true);
    advance();
    await withdrawals.round(open);
    expect([returned.isClosed, returned.bookings.size, booked.size]).toEqual([true, 1, 0]);
    // A repeat after the end is refused before anything is signed.
    await expect(withdrawals.submit(await store.find(loser.id).then((one) => one ?? loser), SIGNATURE)).rejects.toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
    });
    expect(jobs.size).toBe(1);
  });

  it('offers no return that nobody could execute', async () => {
    const { offerReturn, freeze } = createWithdrawalScene(store);
    freeze();
    await expect(offerReturn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('is refused before it is signed when its token cannot be moved any more, a return as well', async () => {
    const { start, offer, offerReturn, freeze, returned, booked, jobs, rechecked } = createWithdrawalScene(store);
    const [back, own] = [await offerReturn(), await offer()];
    freeze();
    for (const withdrawal of [back, own])
      await expect(start().withdrawals.submit(withdrawal, SIGNATURE)).rejects.toMatchObject({ code: 'TOKEN_BLOCKED' });
    expect([returned.by, booked.get(own.id), jobs.size]).toEqual([undefined, 'failed', 0]);
    expect(rechecked.map(([account]) => account)).toEqual([own.accountId, own.accountId]);
  });

  it('waits while a refund is on its way to the Safe, for a day, and asks for it once', async () => {
    const { start, offer, booked, jobs, hold, collected } = createWithdrawalScene(store);
    const { withdrawals } = start();
    const first = await offer();
    hold(4n);
    expect((await withdrawals.submit(first, SIGNATURE)).status).toBe('reserved');
    for (let rounds = 0; rounds < 2; rounds += 1) await withdrawals.round(open);
    expect([collected, booked.get(first.id), jobs.size]).toEqual([[first.accountId], 'reserved', 0]);
    hold(5n);
    await withdrawals.round(open);
    expect([(await store.find(first.id))?.status, jobs.size]).toEqual(['signed', 1]);

    const never = createWithdrawalScene(store);
    never.hold(4n);
    const second = never.start().withdrawals;
    const { id } = await second.submit(await never.offer(), SIGNATURE);
    never.pass(86_400_000);
    await second.round(open);
    expect([await store.find(id), never.booked.get(id)]).toMatchObject([{ status: 'failed', refusal: 'WITHDRAWAL_EXPIRED' }, 'failed']);
  });

  it('returns a rejected deposit later when it failed on the chain', async () => {
    const { start, offerReturn, returned, execute, advance } = createWithdrawalScene(store);
    const failed = await offerReturn();
    const { withdrawals } = start();
    await withdrawals.submit(failed, SIGNATURE);
    execute(failed);
    advance();
    await withdrawals.round(open);
    expect([(await store.find(failed.id))?.status, returned.by, returned.isClosed]).toEqual(['failed', undefined, false]);
  });

  it('goes to a new recipient only after a time from the first request, of which an event tells', async () => {
    const { start, offer, pass, recipient } = createWithdrawalScene(store, { coolingMs: 60_000 });
    const at = Date.now();
    const cooling = {
      code: 'RECIPIENT_COOLING',
      metadata: { usableFrom: expect.stringMatching(/^20/), retryAfterSeconds: expect.stringMatching(/^(?:60|[1-5]\d)$/) },
    };
    await expect(offer()).rejects.toMatchObject(cooling);
    await expect(offer()).rejects.toMatchObject(cooling);
    const requested = await store.model.find({ recipient }).lean<{ outbox: { type: string; payload: { usableFrom: string } }[] }[]>();
    const events = requested.flatMap(({ outbox }) => outbox);
    expect(events).toMatchObject([{ type: 'recipient.requested', payload: { chainId: expect.any(Number) } }]);
    const { usableFrom } = (events[0] ?? expect.fail('nobody was told')).payload;
    expect(Date.parse(usableFrom)).toBeGreaterThanOrEqual(at + 60_000);
    pass(60_001);
    const withdrawal = await offer();
    expect((await start().withdrawals.submit(withdrawal, SIGNATURE)).status).toBe('signed');
  });

  it('is refused by screening before the platform signs, and its money is given back', async () => {
    const { start, offer, booked, jobs, reject } = createWithdrawalScene(store);
    for (const code of ['RECIPIENT_REJECTED', 'WITHDRAWALS_FROZEN'] as const) {
      reject(code);
      const withdrawal = await offer();
      await expect(start().withdrawals.submit(withdrawal, SIGNATURE)).rejects.toMatchObject({ code });
      expect([(await store.find(withdrawal.id))?.status, booked.get(withdrawal.id), jobs.size]).toEqual(['failed', 'failed', 0]);
    }
    reject(undefined);
    expect((await start().withdrawals.submit(await offer(), SIGNATURE)).status).toBe('signed');
  });

  it('is stopped by a rejected deposit until a person has decided, but not by dust, and not by a rejected deposit of the sandbox', async () => {
    const { offer, chainId, transfer: out } = createWithdrawalScene(store);
    const now = () => new Date();
    const exceptions = createExceptionStore(connection, { newId: randomUUID, now });
    const transfers = createTransferStore(connection);
    const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
    const inwards = (digit: string, amount: bigint) => ({ ...out, direction: 'in' as const, txHash: hash(digit), amount });
    await transfers.save([inwards('a', 4n), inwards('b', 5n)]);
    const rejected = [
      { txHash: hash('a'), logIndex: 0, token: 'EURe', amount: 4n },
      { txHash: hash('c'), logIndex: 0, token: 'EURe', amount: 9n },
    ];
    const ledger = { screen: async () => ({ acceptsRecipient: true, rejected }) };
    const verified = randomUUID();
    const parts = {
      ledger,
      transfers,
      exceptions,
      isVerified: async (id: string) => id === verified,
      freezeFrom: new Map([['EURe', 5n]]),
      now,
    };
    const withdrawal = await offer();
    expect(await screenWithdrawal(parts, withdrawal)).toBeUndefined();
    rejected.push({ txHash: hash('b'), logIndex: 0, token: 'EURe', amount: 5n });
    for (let times = 0; times < 2; times += 1) expect(await screenWithdrawal(parts, withdrawal)).toBe('WITHDRAWALS_FROZEN');
    const opened = (await exceptions.page({ limit: 9, before: undefined })).filter(({ transfer }) => transfer.chainId === chainId);
    expect(opened).toMatchObject([{ kind: 'rejected', status: 'open', transfer: { counterparty: out.counterparty, amount: 5n } }]);
    // A person lets the owner send it back: one withdrawal at a time, and nobody closes the exception meanwhile.
    const id = opened[0]?.id ?? '';
    expect(await exceptions.claimReturn(id, 'one')).toBe(false);
    for (let times = 0; times < 2; times += 1)
      expect(await exceptions.decideReturn(id, 'ann', 'sanctioned')).toMatchObject({
        status: 'open',
        returnedBy: 'ann',
        note: 'sanctioned',
      });
    const told = await exceptions.model.findById(id).lean<{ outbox: { type: string }[] }>();
    expect(told?.outbox.map(({ type }) => type)).toEqual(['transfer.rejected', 'return.requested']);
    expect(await exceptions.returnsOf(out.accountId)).toMatchObject([{ id }]);
    expect([await exceptions.claimReturn(id, 'one'), await exceptions.claimReturn(id, 'two')]).toEqual([true, false]);
    expect(await exceptions.returnsOf(out.accountId)).toEqual([]);
    const closing = { closedBy: 'ann', note: 'returned', booked: false };
    expect(await exceptions.close(id, closing)).toMatchObject({ status: 'open' });
    expect(await screenWithdrawal(parts, withdrawal)).toBe('WITHDRAWALS_FROZEN');
    expect(await screenWithdrawal(parts, { ...withdrawal, returns: id })).toBeUndefined();
    // So is a move, which is no way around it.
    expect(await screenWithdrawal(parts, { ...withdrawal, successorAccountId: verified })).toBe('WITHDRAWALS_FROZEN');
    expect(await screenWithdrawal(parts, { ...withdrawal, successorAccountId: randomUUID() })).toBe('SAFE_NOT_VERIFIED');
    await exceptions.endReturned(id, 'two');
    await exceptions.releaseReturn(id, 'two');
    expect(await exceptions.claimReturn(id, 'one')).toBe(true);
    await exceptions.releaseReturn(id, 'one');
    await exceptions.close(id, closing);
    expect(await screenWithdrawal(parts, withdrawal)).toBeUndefined();
    // The recipient of a move is the user's own Safe, which nobody has to accept.
    const rejecting = { ...parts, ledger: { screen: async () => ({ acceptsRecipient: false, rejected }) } };
    expect(await screenWithdrawal(rejecting, withdrawal)).toBe('RECIPIENT_REJECTED');
    expect(await screenWithdrawal(rejecting, { ...withdrawal, successorAccountId: verified })).toBeUndefined();
  });

  it('moves the money of a former account whatever the amounts allowed, and is stopped with the successor', async () => {
    const rules = { perDay: 2, coolingMs: 60_000, minimums: new Map([['EURe', 6n]]), limits: new Map([['EURe', 1n]]) };
    const { start, offerMove, successorAccountId, asked, booked, jobs, execute, advance, transfer } = createWithdrawalScene(store, rules);
    const [first, second] = [await offerMove(), await offerMove()];
    const { withdrawals, settling } = start();
    await withdrawals.submit(first, SIGNATURE);
    await expect(withdrawals.submit(second, SIGNATURE)).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    await expect(offerMove()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    expect(new Set(asked)).toEqual(new Set([successorAccountId]));
    expect([jobs.size, booked.get(first.id), booked.get(second.id)]).toEqual([1, 'reserved', 'failed']);
    execute(first);
    for (let times = 0; times < 2; times += 1) expect(await settleTransfer(settling, transfer)).toBe(true);
    // The same transaction once more, with a nonce that was put back: no move explains it.
    expect(await settleTransfer(settling, { ...transfer, txHash: `0x${'2'.repeat(64)}` })).toBe(false);
    advance();
    expect(booked.get(first.id)).toBe('completed');
  });

  it('is cosigned from the Safe of a former account unless that has other owners or a guard', async () => {
    const { start, parties, exchangePlatform, setGuard } = createWithdrawalScene(store);
    const { isShared } = start().withdrawals;
    expect(await isShared(parties)).toBe(true);
    setGuard(true);
    expect(await isShared(parties)).toBe(false);
    setGuard(false);
    exchangePlatform();
    expect(await isShared(parties)).toBe(false);
  });

  it('moves what a former account has in its Safe, besides what is not its user’s, and has refunds returned there', async () => {
    const { start, parties, token, hold, collected } = createWithdrawalScene(store);
    const movable = (available: bigint, sums: Partial<EntryTotals> = {}) =>
      start().withdrawals.movable(parties, token.address, available, { ...NO_ENTRIES, ...sums });
    hold(100n);
    expect([
      await movable(100n),
      await movable(60n),
      await movable(60n, { incoming: 10n, refused: 10n, settling: 10n, held: 10n }),
    ]).toEqual([100n, 60n, 60n]);
    expect(await start().withdrawals.movable(parties, token.address, 100n, undefined)).toBe(100n);
    expect(collected).toEqual([]);
    expect(await movable(100n, { incoming: 1n, refused: 2n, settling: 3n, held: 4n })).toBe(90n);
    hold(4n);
    expect(await movable(10n, { refused: 5n })).toBe(-1n);
    expect(collected).toEqual([parties.accountId, parties.accountId]);
  });

  it('returns a rejected deposit of a former account, stopped with the successor alone', async () => {
    const { start, offerReturn, successorAccountId, asked, jobs } = createWithdrawalScene(store);
    await start().withdrawals.submit(await offerReturn(), SIGNATURE);
    expect([new Set(asked), jobs.size]).toEqual([new Set([successorAccountId]), 1]);
  });

  it('moves the money of a former account at most as often within a day as withdrawals are sent', async () => {
    const { start, offerMove, execute, end, advance } = createWithdrawalScene(store, { perDay: 1 });
    const { withdrawals } = start();
    const first = await withdrawals.submit(await offerMove(), SIGNATURE);
    execute(first);
    end({ succeeded: true });
    advance();
    // It failed on the chain, and cost gas.
    await withdrawals.round(open);
    expect((await store.find(first.id))?.status).toBe('failed');
    await expect(withdrawals.submit(await offerMove(), SIGNATURE)).rejects.toMatchObject({ code: 'WITHDRAWAL_LIMIT_EXCEEDED' });
  });

  it('of a former account that was never sent gives its money back', async () => {
    const { start, offer, offerMove, block, replace, unblock, booked, jobs } = createWithdrawalScene(store);
    const { withdrawals } = start();
    const { id } = await withdrawals.submit(await offer(), SIGNATURE).catch(() => expect.fail('it is signed'));
    await store.model.updateOne({ _id: id }, { $unset: { sent: 1 } });
    jobs.clear();
    block();
    await withdrawals.round(open);
    expect([(await store.find(id))?.status, booked.get(id)]).toEqual(['signed', 'reserved']);
    replace();
    await withdrawals.round(open);
    expect([(await store.find(id))?.status, booked.get(id)]).toEqual(['failed', 'failed']);
    const move = await offerMove();
    unblock();
    expect((await withdrawals.submit(move, SIGNATURE)).status).toBe('signed');
    // One that was sent does not.
    block();
    await withdrawals.round(open);
    expect(booked.get(move.id)).toBe('reserved');
    await expect(offerMove()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('is not below the least amount, and not one of too many within a day', async () => {
    await expect(createWithdrawalScene(store, { minimums: new Map([['EURe', 6n]]) }).offer()).rejects.toMatchObject({
      code: 'AMOUNT_INVALID',
    });
    const { start, offer, execute, end, advance, pass, rechecked } = createWithdrawalScene(store, { perDay: 1 });
    const first = await offer();
    const { withdrawals } = start();
    await withdrawals.submit(first, SIGNATURE);
    execute((await store.find(first.id)) ?? first);
    end({ succeeded: true });
    advance();
    await withdrawals.round(open);
    // It failed on the chain, and cost gas. Perhaps the tokens cannot move.
    expect((await store.find(first.id))?.status).toBe('failed');
    expect(rechecked).toEqual([[first.accountId, 10]]);
    await expect(offer()).rejects.toMatchObject({ code: 'WITHDRAWAL_LIMIT_EXCEEDED' });
    pass(86_400_001);
    await offer();
  });

  it('is offered to known recipients however often it is asked for, and new ones within a day are limited', async () => {
    const { start, offer, offerTo, pass } = createWithdrawalScene(store, { perDay: 1, coolingMs: 60_000 });
    const cooling = { code: 'RECIPIENT_COOLING' };
    const newRecipient = () => privateKeyToAddress(generatePrivateKey());
    await expect(offer()).rejects.toMatchObject(cooling);
    pass(60_000);
    // Whoever has a session, and not the wallet, uses up what is limited.
    for (let times = 0; times < 20; times += 1) await offer();
    for (let times = 1; times < 10; times += 1) await expect(offerTo(newRecipient())).rejects.toMatchObject(cooling);
    const refused = newRecipient();
    await expect(offerTo(refused)).rejects.toMatchObject({ code: 'WITHDRAWAL_LIMIT_EXCEEDED' });
    // It was not made known, and its owner was told nothing.
    expect(await store.model.countDocuments({ recipient: refused })).toBe(0);
    // The owner withdraws all the same.
    const withdrawal = await offer();
    await start().withdrawals.submit(withdrawal, SIGNATURE);
    expect((await store.find(withdrawal.id))?.status).toBe('signed');
  });

  it('is offered to exactly as many new recipients within a day as are allowed when they are asked for at once', async () => {
    const { offerTo, offer, pass } = createWithdrawalScene(store, { perDay: 1, coolingMs: 60_000 });
    const asked = () => Promise.allSettled(Array.from({ length: 25 }, () => offerTo(privateKeyToAddress(generatePrivateKey()))));
    const codes = (outcomes: Awaited<ReturnType<typeof asked>>) =>
      Object.groupBy(
        outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'offered')),
        (code) => code,
      );
    for (let day = 1; day <= 2; day += 1) {
      const { RECIPIENT_COOLING, WITHDRAWAL_LIMIT_EXCEEDED } = codes(await asked());
      expect([RECIPIENT_COOLING?.length, WITHDRAWAL_LIMIT_EXCEEDED?.length]).toEqual([10, 15]);
      pass(86_400_001);
    }
    await expect(offer()).rejects.toMatchObject({ code: 'RECIPIENT_COOLING' });
  });

  it('does not go to the contract of a token', async () => {
    const { offer, makeRecipientToken } = createWithdrawalScene(store);
    await offer();
    makeRecipientToken();
    await expect(offer()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('waits while the nodes are behind the block that its nonce is of, and is refused for nothing', async () => {
    const { start, offer, booked, jobs, execute, showUpTo } = createWithdrawalScene(store);
    const { withdrawals } = start();
    const first = await offer();
    execute(await withdrawals.submit(first, SIGNATURE));
    const { id } = await offer();
    const second = (await store.find(id)) ?? expect.fail('it was offered');
    expect(second.transaction.nonce).toBe(first.transaction.nonce + 1n);

    showUpTo(9);
    await expect(withdrawals.submit(second, SIGNATURE)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await store.find(id))?.status).toBe('reserved');
    showUpTo(10);
    expect((await withdrawals.submit((await store.find(id)) ?? second, SIGNATURE)).status).toBe('signed');
    expect(booked.get(id)).toBe('reserved');
    expect(jobs.size).toBe(2);
  });

  it('is not offered with a nonce that is used, while the nodes are behind the block that has used it', async () => {
    const { start, offer, execute, showUpTo, transfer } = createWithdrawalScene(store);
    const { withdrawals, settling } = start();
    showUpTo(7);
    await expect(offer()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    showUpTo(8);
    const first = await offer();
    await withdrawals.submit(first, SIGNATURE);
    await expect(offer()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });

    // Its transfer is final in block 10, and booked.
    execute(first);
    expect(await settleTransfer(settling, transfer)).toBe(true);
    await expect(offer()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    showUpTo(10);
    expect((await offer()).transaction.nonce).toBe(first.transaction.nonce + 1n);
  });

  it('is completed by its transfer for each of two processes that book it at once', async () => {
    const { start, offer, booked, execute, transfer } = createWithdrawalScene(store);
    const { withdrawals, settling } = start();
    const { id } = await offer();
    execute(await withdrawals.submit((await store.find(id)) ?? expect.fail('it was offered'), SIGNATURE));
    // Both have read it before either moves it.
    let reads = 0;
    let letGo = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const receipt: typeof settling.node.receipt = async (txHash) => {
      reads += 1;
      if (reads === 2) letGo();
      await both;
      return settling.node.receipt(txHash);
    };
    const settle = () => settleTransfer({ ...settling, node: { receipt } }, transfer);
    expect(await Promise.all([settle(), settle()])).toEqual([true, true]);
    expect([...booked]).toEqual([[id, 'completed']]);
  });

  it('is refused, and its money given back, when the account was blocked after the money was set aside', async () => {
    const { start, offer, booked, jobs, block, unblock } = createWithdrawalScene(store);
    const first = await offer();
    block();
    await expect(start().withdrawals.submit(first, SIGNATURE)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
    expect([await store.find(first.id), booked.get(first.id), jobs.size]).toMatchObject([{ status: 'failed' }, 'failed', 0]);
    unblock();
    expect((await start().withdrawals.submit(await offer(), SIGNATURE)).status).toBe('signed');
  });

  it('waits, without the platform’s signature, when the account was blocked after the process that was to send it was killed', async () => {
    const { start, offer, booked, jobs, block, unblock, reject } = createWithdrawalScene(store);
    const first = await offer();
    const killed = async (): Promise<void> => {
      if ((await store.find(first.id))?.status === 'signed') throw new Killed();
    };
    await expect(start(killed).withdrawals.submit(first, SIGNATURE)).rejects.toThrow(Killed);
    block();
    const { withdrawals } = start();
    await withdrawals.round(open);
    expect([jobs.size, booked.get(first.id), withdrawals.stuck()]).toEqual([0, 'reserved', 1]);
    unblock();
    // Its screening result may have changed meanwhile.
    reject('WITHDRAWALS_FROZEN');
    await withdrawals.round(open);
    expect([jobs.size, booked.get(first.id), withdrawals.stuck()]).toEqual([0, 'reserved', 1]);
    reject(undefined);
    await withdrawals.round(open);
    expect([jobs.size, booked.get(first.id), withdrawals.stuck()]).toEqual([1, 'reserved', 0]);
  });

  it('gives way to a stop that needs its nonce, until it is sent, and its money comes back', async () => {
    const { start, offer, booked, jobs, block, unblock } = createWithdrawalScene(store);
    const first = await offer();
    const killed = async (): Promise<void> => {
      if ((await store.find(first.id))?.status === 'signed') throw new Killed();
    };
    await expect(start(killed).withdrawals.submit(first, SIGNATURE)).rejects.toThrow(Killed);
    block();
    const { withdrawals } = start();
    await withdrawals.round(open);
    expect([await store.supersede(first), await store.supersede(first), await store.markSent(first)]).toEqual([true, false, false]);
    const stop = { id: randomUUID(), transaction: first.transaction };
    expect(await store.claimNonce(stop)).toBe(true);
    unblock();
    await withdrawals.round(open);
    const ended = { status: 'failed', refusal: 'WITHDRAWAL_IN_PROGRESS' };
    expect([await store.find(first.id), booked.get(first.id), jobs.size, withdrawals.stuck()]).toMatchObject([ended, 'failed', 0, 0]);

    const scene = createWithdrawalScene(store);
    const sent = await scene.offer();
    await scene.start().withdrawals.submit(sent, SIGNATURE);
    expect([await store.supersede(sent), (await store.find(sent.id))?.status]).toEqual([false, 'signed']);
  });

  it('gives way to a stop while the platform cannot sign it, and when it has claimed its nonce only', async () => {
    const { start, offer, booked, jobs, block, silenceKey } = createWithdrawalScene(store);
    const first = await offer();
    silenceKey();
    await expect(start().withdrawals.submit(first, SIGNATURE)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await store.find(first.id))?.status).toBe('signed');
    block();
    expect(await store.supersede(first)).toBe(true);
    await start().withdrawals.round(open);
    expect([(await store.find(first.id))?.status, booked.get(first.id), jobs.size]).toEqual(['failed', 'failed', 0]);

    const other = createWithdrawalScene(store);
    const second = await other.offer();
    const killed = async (): Promise<void> => {
      if ((await store.claimedBy(second.transaction)) === second.id) throw new Killed();
    };
    await expect(other.start(killed).withdrawals.submit(second, SIGNATURE)).rejects.toThrow(Killed);
    other.hold(4n);
    await other.start().withdrawals.round(open);
    expect((await store.find(second.id))?.status).toBe('reserved');
    expect(await store.supersede(second)).toBe(true);
    expect(await store.claimNonce({ id: randomUUID(), transaction: second.transaction })).toBe(true);
    await other.start().withdrawals.round(open);
    expect([(await store.find(second.id))?.status, other.booked.get(second.id), other.jobs.size]).toEqual(['failed', 'failed', 0]);
  });

  it('leaves its nonce to the next one when it is refused after it has claimed it', async () => {
    const { start, offer, booked, block, unblock } = createWithdrawalScene(store);
    const first = await offer();
    expect(await store.move(first, 'submitted', { signature: SIGNATURE })).toBe(true);
    expect(await store.claimNonce(first)).toBe(true);
    expect(await store.claimNonce(first)).toBe(true);
    block();
    await start().withdrawals.round(open);
    expect(booked.get(first.id)).toBe('failed');
    unblock();
    const second = await offer();
    expect(second.transaction.nonce).toBe(first.transaction.nonce);
    expect((await start().withdrawals.submit(second, SIGNATURE)).status).toBe('signed');
    expect(await store.claimNonce(first)).toBe(false);
  });

  it('is neither offered nor signed without the key of the Safe’s second owner', async () => {
    const { start, offer, booked, jobs, loseKey } = createWithdrawalScene(store);
    const first = await offer();
    loseKey();
    await expect(offer()).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
    await expect(start().withdrawals.submit(first, SIGNATURE)).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
    expect([booked.get(first.id), jobs.size]).toEqual(['failed', 0]);
  });

  it('is sent again with more gas when its transaction failed and the nonce is free, and counted when that does not help', async () => {
    const { start, offer, booked, jobs, end, execute, advance } = createWithdrawalScene(store);
    const { withdrawals } = start();
    const { id } = await withdrawals.submit(await offer(), SIGNATURE);
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(jobs.size).toBe(tries);
      await withdrawals.round(open);
      expect(jobs.size).toBe(tries);
      expect(withdrawals.stuck()).toBe(0);
      end({ succeeded: false });
      await withdrawals.round(open);
    }
    expect([...jobs.values()].map(({ gas }) => gas)).toEqual([400_000n, 800_000n, 1_600_000n, 3_200_000n]);
    expect(new Set([...jobs.values()].map(({ data }) => data)).size).toBe(1);
    expect([jobs.size, withdrawals.stuck(), booked.get(id)]).toEqual([4, 1, 'reserved']);

    // Somebody else executes it, and the transfer fails.
    execute((await store.find(id)) ?? expect.fail('it was offered'));
    advance();
    await withdrawals.round(open);
    expect([jobs.size, withdrawals.stuck(), booked.get(id)]).toEqual([4, 0, 'failed']);
  });

  it('does not wait for others that cannot move on, however many', async () => {
    const { start, offer, end } = createWithdrawalScene(store);
    const { withdrawals } = start();
    const first = await withdrawals.submit(await offer(), SIGNATURE);
    end({ succeeded: true });
    for (let n = 0; n < 200; n += 1)
      await store.add({ ...first, id: `00000000-0000-4000-8000-${n.toString().padStart(12, '0')}`, accountId: randomUUID() });
    const last = { ...first, id: randomUUID().replace(/^./, 'f'), transaction: { ...first.transaction, nonce: 7n } };
    await store.add({ ...last, status: 'refused', refusal: 'ACCOUNT_NOT_ACTIVE' });
    for (let rounds = 0; rounds < 2; rounds += 1) await withdrawals.round(open).catch(() => undefined);
    expect((await store.find(last.id))?.status).toBe('failed');
  });

  it.each([
    ['completed', true, false],
    ['failed', false, false],
    ['completed as a move', true, true],
    ['failed as a move', false, true],
  ])('is %s once, wherever the process is killed between its steps', async (_end, arrives, isMove) => {
    let killAt = 1;
    while (await run(killAt, arrives, isMove)) killAt += STRIDE;
    // Submit, set aside, claim the nonce, sign, store, complete: each before and after its effect.
    expect(killAt).toBeGreaterThan(20);
  });

  /**
   * One process stops before or after a step, and goes on when another one has done all that it can.
   * @returns whether it came to that step
   */
  const overtake = async (pausedAt: number, event: 'none' | 'refused' | 'blocked' | 'superseded'): Promise<boolean> => {
    const { start, offer, booked, jobs, refusals, block, unblock, execute, advance, transfer } = createWithdrawalScene(store);
    const { id } = await offer();
    expect(await store.move({ id, status: 'offered' }, 'submitted', { signature: SIGNATURE })).toBe(true);
    let steps = 0;
    const paused = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const step = async (): Promise<void> => {
      steps += 1;
      if (steps !== pausedAt) return;
      paused.resolve();
      await gate.promise;
    };
    const [slow, fast] = [start(step), start()];
    if (event === 'refused') refusals.push('INSUFFICIENT_FUNDS');
    const slowly = slow.withdrawals.round(open);
    await Promise.race([paused.promise, slowly]);
    if (event === 'blocked') block();
    if (event === 'superseded') await store.supersede({ id });
    const sent = jobs.size;
    await fast.withdrawals.round(open);
    if (event === 'blocked') expect(jobs.size, `signed while it was blocked at ${pausedAt}`).toBe(sent);
    const arrive = async (): Promise<void> => {
      const signed = await store.find(id);
      if (jobs.size === 0 || signed === undefined) return;
      execute(signed);
      await settleTransfer(fast.settling, transfer);
      advance();
    };
    await arrive();
    gate.resolve();
    await slowly;
    await arrive();
    // A signed one may have waited.
    unblock();
    await fast.withdrawals.round(open);
    await arrive();
    for (const { withdrawals } of [slow, fast]) await withdrawals.round(open);
    const end = (await store.find(id))?.status;
    const what = `${event} at ${pausedAt}`;
    // Either it was sent and has arrived, or nothing was sent and the money is back.
    if (jobs.size > 0) expect([end, booked.get(id), jobs.size], what).toEqual(['completed', 'completed', 1]);
    else expect([end, booked.get(id) ?? 'failed'], what).toEqual(['failed', 'failed']);
    return steps >= pausedAt;
  };

  it.each(['none', 'refused', 'blocked', 'superseded'] as const)(
    'ends once and keeps its money when another process overtakes one at any step (%s)',
    async (event) => {
      let pausedAt = 1;
      while (await overtake(pausedAt, event)) pausedAt += 1;
      expect(pausedAt).toBeGreaterThan(10);
    },
  );
});
