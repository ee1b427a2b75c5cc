import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { TransferDirection } from '@florin/proto/chain/v1/watch';
import { type ResolveHaltRequest, WatchService } from '@florin/proto/chain/v1/watch_service';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditCalls, HaltOrder } from '../contract/index.ts';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const REASON = 'the finalized branch was replaced';
const HASH = `0x${'a'.repeat(64)}`;
const vanished = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  txHash: `0x${'b'.repeat(64)}`,
  direction: TransferDirection.IN,
  token: 'EURe',
  amount: '4000000000000000000',
};

/** The last block that was booked. */
const LAST = 12n;

/** The chain as the service sees it, and what it was asked to do. */
const chain = { isHalted: true, hash: HASH, failure: undefined as ErrorCode | undefined, done: [] as object[] };

const authority = await createTestAuthority({ 'back-office': Object.values(CHAIN_SCOPES) });
const service = await startNeighbour({
  authority,
  name: 'chain',
  services: [
    implementPart(WatchService, {
      resolveHalt: serviceMethod(async ({ chainId, fromBlock, actor, reason, dryRun }: ResolveHaltRequest) => {
        if (!chain.isHalted) throw new CodedError('CHAIN_NOT_HALTED');
        if (fromBlock > LAST) throw new CodedError('HALT_NOT_RESOLVABLE', { metadata: { atMostBlock: String(LAST) } });
        if (!dryRun) {
          chain.isHalted = false;
          chain.done.push({ chainId, fromBlock, actor, reason });
          if (chain.failure !== undefined) throw new CodedError(chain.failure);
        }
        return { resumeBlock: fromBlock - 1n, resumeHash: chain.hash, kept: 2, vanished: [vanished], resumed: !dryRun };
      }),
    }),
  ],
});

type Operator = Awaited<ReturnType<BackOffice['operator']>>;
let world: World;
let office: BackOffice;
let first: Operator;
let second: Operator;
let third: Operator;
beforeAll(async () => {
  world = await createWorld({ CHAIN_URL: service.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  office = await world.start();
  [first, second, third] = [await office.operator('finance'), await office.operator('finance', 'admin'), await office.operator('finance')];
});
afterAll(async () => {
  await world.close();
  await service.close();
});
beforeEach(() => Object.assign(chain, { isHalted: true, hash: HASH, failure: undefined, done: [] }));

const send = (operator: Operator, path: string, body: object = {}, key: string = crypto.randomUUID()) =>
  operator.ask(`POST /api/chain/halts${path}`, { headers: { 'idempotency-key': key }, body: { reason: REASON, ...body } });

/** Repeats what a busy machine has not answered in time, as its sender would. */
const act = async (operator: Operator, path: string, body: object = {}, key: string = crypto.randomUUID()) => {
  for (;;) {
    const answer = await send(operator, path, body, key);
    if (answer.status !== 503 && answer.status !== 504) return answer;
  }
};

const order = async (): Promise<string> => {
  const { status, body } = await act(first, '', { chainId: 100, fromBlock: '8' });
  expect([status, body['status']]).toEqual([200, 'pending']);
  return String(body['actionId']);
};

const read = async (id: string): Promise<HaltOrder | undefined> =>
  ((await first.ask('GET /api/chain/halts')).body as { orders: HaltOrder[] }).orders.find((one) => one.id === id);

describe('an order that a halted chain goes on', () => {
  it('is shown with what it would do, and does nothing before another operator approves it', async () => {
    const id = await order();
    expect(await read(id)).toEqual({
      id,
      chainId: 100,
      fromBlock: '8',
      status: 'pending',
      preview: {
        resumeBlock: '7',
        resumeHash: HASH,
        kept: 2,
        vanished: 1,
        transfers: [
          {
            txHash: vanished.txHash,
            accountId: vanished.accountId,
            direction: 'in',
            amount: { token: 'EURe', amount: vanished.amount, decimals: 18, currency: 'EUR' },
          },
        ],
      },
      reason: REASON,
      actor: `operator:${first.id}`,
      actorName: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(await act(first, `/${id}/approve`)).toMatchObject({ status: 403, body: { error: 'SELF_APPROVAL' } });
    expect(chain.done).toEqual([]);
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect(chain.done).toEqual([{ chainId: 100, fromBlock: 8n, actor: `operator:${first.id}`, reason: REASON }]);
    expect(await read(id)).toMatchObject({ status: 'resolved', decidedBy: `operator:${second.id}`, decidedByName: expect.any(String) });
  });

  it('is not approved by an account that is tied to the one that ordered it, whichever was first', async () => {
    const operators = world.connection.collection<{ _id: string }>('operators');
    /** An operator whom another one has let in. */
    const letIn = async (by: Operator): Promise<Operator> => {
      const other = await office.operator('finance');
      await operators.updateOne({ _id: other.id }, { $set: { letInBy: [by.id] } });
      return other;
    };
    /** Two accounts from before one mailbox was one account. */
    const sameMailbox = async (): Promise<Operator> => {
      const other = await office.operator('finance');
      await operators.updateOne({ _id: other.id }, { $set: { email: second.email.replace('@', '+2@') }, $unset: { mailbox: '' } });
      return other;
    };
    for (const [tie, other] of [
      ['invitation', await letIn(second)],
      ['mailbox', await sameMailbox()],
    ] as const) {
      for (const [orders, approves] of [
        [other, second],
        [second, other],
      ] as const) {
        const { body } = await act(orders, '', { chainId: 100, fromBlock: '8' });
        const id = String(body['actionId']);
        expect(await act(approves, `/${id}/approve`)).toMatchObject({
          status: 403,
          body: { error: 'SELF_APPROVAL', details: { tie } },
        });
        expect([chain.done, await read(id)]).toMatchObject([[], { status: 'pending' }]);
        expect(await act(third, `/${id}/reject`)).toMatchObject({ status: 200 });
      }
    }
  });

  it('is in the audit log with both operators and their reasons', async () => {
    const id = await order();
    await act(second, `/${id}/approve`, { reason: 'compared with two explorers' });
    const { calls } = (await second.ask('GET /api/audit')).body as AuditCalls;
    const own = calls.filter(({ subjects, operation }) => operation === 'chain.order-halt' || subjects['halt_order_id'] === id);
    expect(own.slice(0, 2).map(({ operation, operatorId, reason, outcome }) => [operation, operatorId, reason, outcome?.code])).toEqual([
      ['chain.approve-halt', second.id, 'compared with two explorers', 'OK'],
      ['chain.order-halt', first.id, REASON, 'OK'],
    ]);
  });

  it('is made once for a key, and carried out once however often it is approved', async () => {
    const key = crypto.randomUUID();
    const body = { chainId: 100, fromBlock: '8' };
    const made = await act(first, '', body, key);
    expect((await act(first, '', body, key)).body).toEqual(made.body);
    const id = String(made.body['actionId']);
    const approval = crypto.randomUUID();
    for (const again of [approval, approval, crypto.randomUUID()]) {
      expect(await act(second, `/${id}/approve`, {}, again)).toMatchObject({ status: 200, body: { status: 'resolved' } });
    }
    expect(chain.done).toHaveLength(1);
    expect(await act(third, `/${id}/approve`)).toMatchObject({ status: 409, body: { error: 'ORDER_STATE_CONFLICT' } });
  });

  it('has one approver of several who approve at once, in several processes', async () => {
    const other = await world.start();
    for (let round = 0; round < 5; round += 1) {
      Object.assign(chain, { isHalted: true, done: [] });
      const id = await order();
      const rivals = [await other.operator('finance'), await office.operator('finance'), await other.operator('finance')];
      const answers = await Promise.all(rivals.map((one) => act(one, `/${id}/approve`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect(chain.done).toHaveLength(1);
      const winner = rivals[answers.findIndex(({ status }) => status === 200)];
      expect(await read(id)).toMatchObject({ status: 'resolved', decidedBy: `operator:${winner?.id}` });
    }
  });

  it('of which an approval and a rejection race has one of them', async () => {
    const id = await order();
    const answers = await Promise.all([act(second, `/${id}/approve`), act(third, `/${id}/reject`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isRejected = answers[1]?.status === 200;
    expect([(await read(id))?.status, chain.done.length]).toEqual(isRejected ? ['rejected', 0] : ['resolved', 1]);
  });

  it('that was carried out without an answer is ended by its approver, and by nobody else', async () => {
    const id = await order();
    chain.failure = 'UPSTREAM_TIMEOUT';
    expect(await send(second, `/${id}/approve`)).toMatchObject({ status: 504 });
    expect(await read(id)).toMatchObject({ status: 'approved', decidedBy: `operator:${second.id}` });
    chain.failure = undefined;
    expect(await act(third, `/${id}/approve`)).toMatchObject({ status: 409 });
    expect(await act(third, `/${id}/reject`)).toMatchObject({ status: 409 });
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect([chain.done.length, (await read(id))?.status]).toEqual([1, 'resolved']);
  });

  it.each([
    ['goes on already', { isHalted: false }, 'CHAIN_NOT_HALTED'],
    ['was halted anew', { hash: `0x${'c'.repeat(64)}` }, 'HALT_NOT_RESOLVABLE'],
  ])('fails when its chain %s', async (_, now, failureCode) => {
    const id = await order();
    Object.assign(chain, now);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'failed' } });
    }
    expect(await read(id)).toMatchObject({ status: 'failed', failureCode });
    expect(chain.done).toEqual([]);
  });

  it('is rejected once, also by who ordered it, and expires after a day', async () => {
    const rejected = await order();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect(await act(first, `/${rejected}/reject`)).toMatchObject({ status: 200, body: { status: 'rejected' } });
    }
    expect(await act(second, `/${rejected}/approve`)).toMatchObject({ status: 409 });
    expect(await act(second, `/${crypto.randomUUID()}/approve`)).toMatchObject({ status: 404 });
    expect(await act(second, `/${crypto.randomUUID()}/reject`)).toMatchObject({ status: 404 });

    const own = await createWorld({ CHAIN_URL: service.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
    const process = await own.start();
    const maker = await process.operator('finance');
    const { body } = await act(maker, '', { chainId: 100, fromBlock: '8' });
    own.clock.advanceSeconds(86_400);
    const late = await process.operator('finance');
    expect(await act(late, `/${body['actionId']}/approve`)).toMatchObject({ status: 409 });
    expect((await late.ask('GET /api/chain/halts')).body).toMatchObject({ orders: [{ id: body['actionId'], status: 'expired' }] });
    expect(chain.done).toEqual([]);
    await own.close();
  });

  it('is not made from a block that is too late, and the error names the one that is expected', async () => {
    expect(await act(first, '', { chainId: 100, fromBlock: '13' })).toMatchObject({
      status: 409,
      body: { error: 'HALT_NOT_RESOLVABLE', details: { atMostBlock: '12' } },
    });
    expect(await act(first, '', { chainId: 100, fromBlock: '12' })).toMatchObject({ status: 200 });
  });

  it('is not made for a chain that is not halted, from no block, without a chain service, or without a reason', async () => {
    for (const body of [
      { chainId: 100, fromBlock: '0' },
      { chainId: 100, fromBlock: 'x' },
      { chainId: 0, fromBlock: '8' },
    ]) {
      expect(await act(first, '', body)).toMatchObject({ status: 422 });
    }
    expect(await act(first, '', { chainId: 100, fromBlock: '8', reason: 'short' })).toMatchObject({ status: 422 });
    chain.isHalted = false;
    expect(await act(first, '', { chainId: 100, fromBlock: '8' })).toMatchObject({ status: 409, body: { error: 'CHAIN_NOT_HALTED' } });
    const own = await createWorld();
    const operator = await (await own.start()).operator('finance');
    expect(await act(operator, '', { chainId: 100, fromBlock: '8' })).toMatchObject({ status: 404 });
    await own.close();
  });
});
