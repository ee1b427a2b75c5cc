import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, CARD_ID, CHALLENGE_ID, deposit, OTHER_ID, USER_ID, WALLET, withdrawal } from '../../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

describe('sandbox', () => {
  it('lists sent messages', async () => {
    const { body } = await gateway.ask('GET /sandbox/outbox?to=+4915112345678');
    expect(body).toMatchObject({
      data: [
        { channel: 'email', code: '123456' },
        { channel: 'sms', sentAt: '2026-01-31T12:00:00.123Z' },
      ],
    });
    expect(gateway.callOf('listOutboxMessages')?.request).toMatchObject({ to: '+4915112345678' });
  });

  it.each([
    ['approve', DepositStatus.APPROVED],
    ['reject', DepositStatus.REJECTED],
  ])('records a deposit with the screening result %s', async (kyt, status) => {
    const { body } = await gateway.asUser('POST /sandbox/deposits', { token: 'EURe', amount: '5', kyt });
    const { txHash } = body as { txHash: string };
    expect(gateway.callOf('recordDeposit')?.request).toMatchObject({
      accountId: ACCOUNT_ID,
      chainId: 100,
      txHash,
      logIndex: 0,
      token: 'EURe',
      amount: '5',
    });
    expect(gateway.callOf('resolveDeposit')?.request).toMatchObject({ status, kytBreakdown: { result: kyt } });
  });

  it('has the faucet of the chain pay a deposit, where there is one', async () => {
    const orders: unknown[] = [];
    const hash = `0x${'ab'.repeat(32)}`;
    const node = createServer(async (request, response) => {
      orders.push(await new Response(Readable.toWeb(request) as ReadableStream).json());
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: hash }));
    }).listen(0, '127.0.0.1');
    await once(node, 'listening');
    const { port } = node.address() as AddressInfo;
    const onChain = await gateway.another({ SANDBOX_FAUCET_URL: `http://127.0.0.1:${port}` });
    const make = (body: object) => askAt(onChain.url, 'POST /sandbox/deposits', { token: gateway.userToken, body });
    expect(await make({ token: 'EURe', amount: '1500000000000000000' })).toMatchObject({ status: 200, body: { txHash: hash } });
    expect(orders).toMatchObject([{ method: 'florin_faucet', params: [WALLET, 'EURe', '1.500000000000000000', expect.anything()] }]);
    expect(gateway.callOf('recordDeposit')?.request).toMatchObject({ txHash: hash, logIndex: 0, amount: '1500000000000000000' });
    expect(await make({ token: 'EURe', amount: '5', kyt: 'reject' })).toMatchObject({ status: 422 });
    expect(orders).toHaveLength(1);
    await onChain.close();
    node.close();
  });

  it('leaves a held deposit pending', async () => {
    expect(await gateway.asUser('POST /sandbox/deposits', { token: 'EURe', amount: '5', kyt: 'hold' })).toMatchObject({ status: 200 });
    expect(gateway.callOf('resolveDeposit')).toBeUndefined();
  });

  it.each(['AMOUNT_INVALID', 'TOKEN_NOT_SUPPORTED'] as const)('returns %s in the simple shape', async (code) => {
    gateway.refuse('recordDeposit', code);
    expect(await gateway.asUser('POST /sandbox/deposits', { token: 'X', amount: '1' })).toMatchObject({
      status: 422,
      body: { success: false, error: code },
    });
  });

  it.each([
    ['complete', [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED]],
    ['fail', [WithdrawalStatus.PROCESSING, WithdrawalStatus.FAILED]],
    ['process', [WithdrawalStatus.PROCESSING]],
    ['hold', []],
  ])('moves a withdrawal to the outcome %s', async (outcome, statuses) => {
    expect(await gateway.asUser('POST /sandbox/withdrawals', { token: 'EURe', amount: '5', outcome })).toMatchObject({ status: 200 });
    const updates = gateway.fakes.calls.filter(({ rpc }) => rpc === 'updateWithdrawal').map(({ request }) => request.status);
    expect(updates).toEqual(statuses);
  });

  it.each([
    ['approve', DepositStatus.APPROVED],
    ['reject', DepositStatus.REJECTED],
  ])('ends the screening of the caller’s own deposit: %s', async (outcome, status) => {
    const path = `POST /sandbox/deposits/${OTHER_ID}/resolve`;
    expect(await gateway.asUser(path, { outcome })).toMatchObject({ status: 200, body: { id: OTHER_ID } });
    expect(gateway.callOf('resolveDeposit')?.request).toMatchObject({ depositId: OTHER_ID, status });
    gateway.fakes.reset();
    gateway.fakes.stub('getDeposit', () => ({ deposit: { ...deposit, accountId: USER_ID } }));
    expect(await gateway.asUser(path, { outcome })).toMatchObject({ status: 404, body: { error: 'DEPOSIT_NOT_FOUND' } });
    expect(gateway.callOf('resolveDeposit')).toBeUndefined();
  });

  it.each([
    ['complete', WithdrawalStatus.COMPLETED],
    ['fail', WithdrawalStatus.FAILED],
  ])('ends a withdrawal that the sandbox has made for the caller: %s', async (outcome, status) => {
    const path = `POST /sandbox/withdrawals/${OTHER_ID}/resolve`;
    const found = (changes: object) =>
      gateway.fakes.stub('getWithdrawal', () => ({ withdrawal: { ...withdrawal, txHash: sandboxTransactionHash(OTHER_ID), ...changes } }));
    found({});
    expect(await gateway.asUser(path, { outcome })).toMatchObject({ status: 200, body: { id: OTHER_ID } });
    expect(gateway.callOf('updateWithdrawal')?.request).toMatchObject({ withdrawalId: OTHER_ID, status });
    gateway.fakes.reset();
    found({ accountId: USER_ID });
    expect(await gateway.asUser(path, { outcome })).toMatchObject({ status: 404, body: { error: 'WITHDRAWAL_NOT_FOUND' } });
    found({ txHash: '' });
    expect(await gateway.asUser(path, { outcome })).toMatchObject({ status: 409, body: { error: 'WITHDRAWAL_STATE_CONFLICT' } });
    expect(gateway.callOf('updateWithdrawal')).toBeUndefined();
  });

  it.each([
    ['expire', { amount: '100' }, 'amount: is unknown'],
    ['refund', { amount: '5', final: false }, 'final: is unknown'],
    ['reverse', { billingAmount: '5' }, 'billingAmount: must be of an amount'],
    ['clear', { amount: '5', cardId: USER_ID }, 'cardId: must be the card of the payment'],
  ])('ignores nothing of a network event: %s with %j', async (action, body, message) => {
    const answer = await gateway.asUser(`POST /sandbox/payments/${CARD_ID}/${action}`, body);
    expect(answer).toMatchObject({ status: 422, body: { error: { message } } });
  });

  it("raises a challenge for the caller's own card only", async () => {
    const payment = { amount: '1999', currency: 'JPY', merchant: { displayName: 'Shop' } };
    expect(await gateway.asUser('POST /sandbox/3ds/challenges', { ...payment, cardId: CARD_ID })).toMatchObject({
      status: 200,
      body: { challengeId: CHALLENGE_ID },
    });
    expect(gateway.callOf('createChallenge')?.request).toMatchObject({ cardId: CARD_ID, decimals: 0, expiresInSeconds: 300 });
    gateway.fakes.reset();
    expect(await gateway.asUser('POST /sandbox/3ds/challenges', { ...payment, cardId: CARD_ID.toUpperCase() })).toMatchObject({
      status: 200,
    });
    gateway.fakes.reset();
    const foreign = { ...payment, cardId: USER_ID };
    expect(await gateway.asUser('POST /sandbox/3ds/challenges', foreign)).toMatchObject({
      status: 404,
      body: { success: false, error: 'CARD_NOT_FOUND' },
    });
    expect(gateway.callOf('createChallenge')).toBeUndefined();
  });
});
