import { randomUUID } from 'node:crypto';
import { openRedis } from '@florin/data/redis';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionKind, ExceptionStatus, TransferDirection, WatchState } from '@florin/proto/chain/v1/watch';
import { HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fakeAddress } from './testing/fake-chain.ts';
import { codeOf, createWorld, TOKEN, type World } from './testing/world.ts';

let world: World;
let service: Awaited<ReturnType<World['start']>>;
beforeAll(async () => {
  world = await createWorld();
  service = await world.start();
});
afterAll(async () => {
  await service.close();
  await world.close();
});

/** Mines a final block with one payment to or from a Safe, and waits until the watcher is past it. */
const pay = async (from: ReturnType<typeof fakeAddress>, to: ReturnType<typeof fakeAddress>): Promise<string> => {
  const transaction = world.chain.transaction([{ contract: TOKEN, from, to, amount: 5n }]);
  world.chain.mine([transaction]);
  world.chain.finalize();
  const { number } = world.chain.newest();
  await waitFor(`block ${number}`, async () => {
    const { watches } = await service.watch.listChainWatches({}, world.operator);
    return Number(watches[0]?.blockNumber) >= number ? true : undefined;
  });
  return transaction.hash;
};

const exceptionsOf = async (accountId: string, status: ExceptionStatus = ExceptionStatus.UNSPECIFIED) => {
  const { exceptions } = await service.watch.listExceptions({ page: { limit: 100 }, status }, world.operator);
  return exceptions.filter((exception) => exception.accountId === accountId);
};

describe('the chain service', () => {
  it('books finalized transfers and shows where it stands', async () => {
    const { safe } = world.newAccount();
    const txHash = await pay(fakeAddress('shop'), safe);
    expect([...world.booked]).toContain(`in ${txHash} 0`);
    // The cursor is stored before the round has ended.
    await expect
      .poll(async () => (await service.watch.listChainWatches({}, world.operator)).watches)
      .toMatchObject([{ chainId: 100, state: WatchState.WATCHING, problem: '', nodes: 2, blockHash: world.chain.newest().hash }]);
  });

  it('goes on where it stood when it is started again', async () => {
    const { safe } = world.newAccount();
    await pay(fakeAddress('shop'), safe);
    await service.close();
    const transaction = world.chain.transaction([{ contract: TOKEN, from: fakeAddress('shop'), to: safe, amount: 7n }]);
    world.chain.mine([transaction]);
    world.chain.finalize();
    service = await world.start();
    await waitFor('the payment', async () => (world.booked.has(`in ${transaction.hash} 0`) ? true : undefined));
  });

  it('goes on past a transfer that the ledger refuses, and books it when it is retried', async () => {
    const { accountId, safe } = world.newAccount();
    world.refused.set(accountId, 'ACCOUNT_CLOSED');
    const txHash = await pay(fakeAddress('shop'), safe);
    const [exception] = await exceptionsOf(accountId);
    expect(exception).toMatchObject({
      kind: ExceptionKind.REFUSED,
      status: ExceptionStatus.OPEN,
      code: 'ACCOUNT_CLOSED',
      txHash,
      logIndex: 0,
      direction: TransferDirection.IN,
      token: 'EURe',
      amount: '5',
    });
    const retry = async () =>
      (await service.watch.retryException({ exceptionId: exception?.id ?? '', actor: 'operator' }, world.operator)).exception;

    world.refused.set(accountId, 'TOKEN_NOT_SUPPORTED');
    expect(await retry()).toMatchObject({ status: ExceptionStatus.OPEN, code: 'TOKEN_NOT_SUPPORTED' });
    world.refused.delete(accountId);
    const closed = await retry();
    expect(closed).toMatchObject({ status: ExceptionStatus.CLOSED, closedBy: 'operator' });
    expect([...world.booked]).toContain(`in ${txHash} 0`);
    expect(await retry()).toEqual(closed);
  });

  it('lets one of a retry and a close end an exception, also when the retry is interrupted', async () => {
    const { accountId, safe } = world.newAccount();
    world.refused.set(accountId, 'ACCOUNT_CLOSED');
    await pay(fakeAddress('shop'), safe);
    const [exception] = await exceptionsOf(accountId);
    const exceptionId = exception?.id ?? '';
    world.refused.delete(accountId);
    const release = world.holdBookings();
    const close = () => service.watch.closeException({ exceptionId, actor: 'operator', note: 'Paid back.' }, world.operator);
    const retry = () => service.watch.retryException({ exceptionId, actor: 'operator' }, world.operator);
    const first = retry();
    await waitFor('the retry to begin', async () => {
      const [current] = await exceptionsOf(accountId, ExceptionStatus.RETRYING);
      return current;
    });
    expect(await codeOf(close())).toBe('EXCEPTION_STATE_CONFLICT');
    expect(await codeOf(retry())).toBe('EXCEPTION_STATE_CONFLICT');
    release();
    expect((await first).exception).toMatchObject({ status: ExceptionStatus.CLOSED, note: 'Booked.' });
    expect((await close()).exception).toMatchObject({ note: 'Booked.' });
    expect((await retry()).exception).toMatchObject({ note: 'Booked.' });
  });

  it('does not end a retry that another call has begun since', async () => {
    const { accountId, safe } = world.newAccount();
    world.refused.set(accountId, 'ACCOUNT_CLOSED');
    await pay(fakeAddress('shop'), safe);
    const exceptionId = (await exceptionsOf(accountId))[0]?.id ?? '';
    const release = world.holdBookings();
    const late = service.watch.retryException({ exceptionId, actor: 'operator' }, world.operator);
    await waitFor('the retry to begin', async () => (await exceptionsOf(accountId, ExceptionStatus.RETRYING))[0]);
    // As a call does that follows this one after a minute, and is booking by now.
    await world.connection
      .collection<{ _id: string }>('exceptions')
      .updateOne({ _id: exceptionId }, { $set: { retryUntil: new Date(Date.now() + 90_000) } });
    release();
    expect((await late).exception).toMatchObject({ status: ExceptionStatus.RETRYING });
    const close = service.watch.closeException({ exceptionId, actor: 'operator', note: 'Paid back.' }, world.operator);
    expect(await codeOf(close)).toBe('EXCEPTION_STATE_CONFLICT');
  });

  it('finds out after a minute what happened to a retry that was killed', async () => {
    const { accountId, safe } = world.newAccount();
    world.refused.set(accountId, 'ACCOUNT_CLOSED');
    await pay(fakeAddress('shop'), safe);
    const exceptionId = (await exceptionsOf(accountId))[0]?.id ?? '';
    world.refused.delete(accountId);
    const retry = () => service.watch.retryException({ exceptionId, actor: 'operator' }, world.operator);
    const state = { status: 'retrying', retryUntil: new Date(Date.now() + 30_000) };
    await world.connection.collection<{ _id: string }>('exceptions').updateOne({ _id: exceptionId }, { $set: state });
    expect(await codeOf(retry())).toBe('EXCEPTION_STATE_CONFLICT');
    await world.connection
      .collection<{ _id: string }>('exceptions')
      .updateOne({ _id: exceptionId }, { $set: { retryUntil: new Date(Date.now() - 1) } });
    expect((await retry()).exception).toMatchObject({ status: ExceptionStatus.CLOSED, note: 'Booked.' });
  });

  it('reports and blocks an account whose owner took money out alone; the exception is closed by a person', async () => {
    const { accountId, safe } = world.newAccount();
    const txHash = await pay(safe, fakeAddress('shop'));
    expect([...world.booked]).toContain(`out ${txHash} forced`);
    expect([...world.blocked]).toContain(accountId);
    const [exception] = await exceptionsOf(accountId, ExceptionStatus.OPEN);
    expect(exception).toMatchObject({
      kind: ExceptionKind.LEFT,
      code: '',
      direction: TransferDirection.OUT,
      counterparty: fakeAddress('shop'),
    });
    const exceptionId = exception?.id ?? '';

    const retried = service.watch.retryException({ exceptionId, actor: 'operator' }, world.operator);
    expect(await codeOf(retried)).toBe('EXCEPTION_STATE_CONFLICT');
    const close = (note: string) => service.watch.closeException({ exceptionId, actor: 'operator', note }, world.operator);
    const { exception: closed } = await close('Called the user.');
    expect(closed).toMatchObject({ status: ExceptionStatus.CLOSED, note: 'Called the user.' });
    expect((await close('Another note.')).exception).toEqual(closed);
    expect(await exceptionsOf(accountId, ExceptionStatus.OPEN)).toEqual([]);
  });

  it('publishes an event for each exception', async () => {
    const { accountId, safe } = world.newAccount();
    await pay(safe, fakeAddress('shop'));
    const redis = await openRedis(inject('redisUrl'), quietLogger);
    const payload = await waitFor('the event', async () => {
      const messages = (await redis.xRange('florin:events:chain', '-', '+')) as { message: Record<string, string> }[];
      return messages.find(({ message }) => message['type'] === 'transfer.left' && message['payload']?.includes(accountId))?.message[
        'payload'
      ];
    }).finally(() => redis.destroy());
    expect(JSON.parse(payload)).toMatchObject({ chainId: 100, accountId, token: 'EURe', amount: '5' });
  });

  it('lists exceptions newest first, each on one page', async () => {
    const { accountId, safe } = world.newAccount();
    const hashes = [await pay(safe, fakeAddress('shop')), await pay(safe, fakeAddress('shop')), await pay(safe, fakeAddress('shop'))];
    const seen: string[] = [];
    let cursor = '';
    do {
      const { exceptions, page } = await service.watch.listExceptions({ page: { limit: 2, cursor } }, world.operator);
      seen.push(...exceptions.filter((one) => one.accountId === accountId).map(({ txHash }) => txHash));
      cursor = page?.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(hashes.reverse());
    expect(await codeOf(service.watch.listExceptions({ page: { cursor: 'bogus' } }, world.operator))).toBe('VALIDATION_FAILED');
  });

  it('lists the exceptions of one transaction', async () => {
    const { accountId, safe } = world.newAccount();
    const [txHash] = [await pay(safe, fakeAddress('shop')), await pay(safe, fakeAddress('shop'))];
    const list = async (wanted: string) => {
      const { exceptions } = await service.watch.listExceptions({ txHash: wanted }, world.operator);
      return exceptions.map((one) => [one.accountId, one.txHash]);
    };
    expect(await list(txHash)).toEqual([[accountId, txHash]]);
    expect(await list(`0x${txHash.slice(2).toUpperCase()}`)).toEqual([[accountId, txHash]]);
    expect(await list(`0x${'ab'.repeat(32)}`)).toEqual([]);
    for (const wrong of ['0x', txHash.slice(2), `${txHash}0`, `0x${'g'.repeat(64)}`]) {
      expect(await codeOf(service.watch.listExceptions({ txHash: wrong }, world.operator))).toBe('VALIDATION_FAILED');
    }
  });

  it('is not ready while inspections of Safes are later than a request to leave allows', async () => {
    // Its nodes do not respond, so no Safe is inspected.
    const keys = { CHAIN_RELAYER_KEY: generatePrivateKey(), CHAIN_COSIGNER_KEY: generatePrivateKey() };
    const own = await world.start({ ...keys, SAFE_DELAY_COOLDOWN_SECONDS: '90000', SAFE_INSPECTION_SECONDS: '30000' });
    const safes = world.connection.collection<{ _id: string }>('safes');
    const accountId = randomUUID();
    const wasInspected = async (seconds: number, status = 'verified') => {
      const inspectedAt = new Date(Date.now() - seconds * 1000);
      await safes.updateOne({ _id: accountId }, { $set: { chainId: 100, status, findings: [], inspectedAt } }, { upsert: true });
    };
    const expectHealth = (status: Status) => expect.poll(async () => (await own.health.check({})).status, { timeout: 20_000 }).toBe(status);
    try {
      await wasInspected(44_000);
      await expectHealth(Status.SERVING);
      await wasInspected(46_000);
      await expectHealth(Status.NOT_SERVING);
      // It spends nothing before it is verified.
      await wasInspected(46_000, 'relaying');
      await expectHealth(Status.SERVING);
    } finally {
      await own.close();
      await safes.deleteOne({ _id: accountId });
    }
  });

  it('rejects callers without the scope, and unknown exceptions', async () => {
    const stranger = await world.as('stranger', []);
    const reader = await world.as('operator', [CHAIN_SCOPES.readExceptions]);
    const retry = { exceptionId: randomUUID(), actor: 'operator' };
    expect(await codeOf(service.watch.listChainWatches({}, stranger))).toBe('FORBIDDEN');
    expect(await codeOf(service.watch.listExceptions({}, stranger))).toBe('FORBIDDEN');
    expect(await codeOf(service.watch.retryException(retry, reader))).toBe('FORBIDDEN');
    expect(await codeOf(service.watch.closeException({ ...retry, note: 'x' }, reader))).toBe('FORBIDDEN');
    expect(await codeOf(service.watch.retryException(retry, world.operator))).toBe('EXCEPTION_NOT_FOUND');
    expect(await codeOf(service.watch.closeException({ ...retry, note: 'x' }, world.operator))).toBe('EXCEPTION_NOT_FOUND');
    expect(await codeOf(service.watch.closeException({ ...retry, note: ' ' }, world.operator))).toBe('VALIDATION_FAILED');
  });
});
