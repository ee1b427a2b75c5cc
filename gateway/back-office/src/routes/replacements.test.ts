import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService, type GetAccountRequest, type ReplaceAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditCalls, QueueCounts, QueueItems } from '../contract/index.ts';
import type { StoredReplacementOrder } from '../store/orders.ts';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const REASON = 'its Safe has executed something of its own';
const USER = '01890a5d-ac96-774b-bcce-b302099a8057';
const FORMER = '01890a5d-ac96-774b-bcce-b302099a8058';
const SUCCESSOR = '01890a5d-ac96-774b-bcce-b302099a8059';

/** The account as the ledger has it, which replaces it once, and what the ledger was asked to replace. */
const ledger = {
  historyDiffers: true,
  isReplaced: false,
  asked: [] as string[],
  /** Refuses before anything is done. */
  refusal: undefined as ErrorCode | undefined,
  /** Fails after the account was replaced. */
  failure: undefined as ErrorCode | undefined,
  before: async () => undefined as unknown,
};

const authority = await createTestAuthority({ 'back-office': Object.values(LEDGER_SCOPES) });
const service = await startNeighbour({
  authority,
  name: 'ledger',
  services: [
    implementPart(AccountService, {
      getAccount: serviceMethod(async ({ key }: GetAccountRequest) => {
        if (key.case !== 'userId' || key.value !== USER) throw new CodedError('ACCOUNT_NOT_FOUND');
        const { historyDiffers, isReplaced } = ledger;
        const account = isReplaced
          ? { id: SUCCESSOR, status: AccountStatus.PROVISIONING, formerAccountId: FORMER }
          : { id: FORMER, status: AccountStatus.BLOCKED, safeHistoryDiffers: historyDiffers };
        return { account: { ...account, userId: USER } };
      }),
      replaceAccount: serviceMethod(async ({ accountId }: ReplaceAccountRequest) => {
        ledger.asked.push(accountId);
        await ledger.before();
        if (ledger.refusal !== undefined) throw new CodedError(ledger.refusal);
        ledger.isReplaced = true;
        if (ledger.failure !== undefined) throw new CodedError(ledger.failure);
        return {};
      }),
    }),
    implementPart(AdjustmentService, { listAdjustments: serviceMethod(async () => ({})) }),
  ],
});

type Operator = Awaited<ReturnType<BackOffice['operator']>>;
let world: World;
let office: BackOffice;
let first: Operator;
let second: Operator;
let third: Operator;
beforeAll(async () => {
  world = await createWorld({ LEDGER_URL: service.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  office = await world.start();
  [first, second, third] = [await office.operator('finance'), await office.operator('finance', 'admin'), await office.operator('finance')];
});
afterAll(async () => {
  await world?.close();
  await service.close();
});
beforeEach(async () => {
  Object.assign(ledger, { historyDiffers: true, isReplaced: false, asked: [], refusal: undefined, failure: undefined });
  ledger.before = async () => undefined;
  await world.connection.collection('replacement_orders').deleteMany({});
});

type Options = { userId?: string; reason?: string; key?: string };

const send = (operator: Operator, path = '', { userId = USER, reason = REASON, key = crypto.randomUUID() }: Options = {}) =>
  operator.ask(`POST /api/people/${userId}/replacements${path}`, { headers: { 'idempotency-key': key }, body: { reason } });

/** Repeats what a busy machine has not answered in time, as its sender would. */
const act = async (operator: Operator, path = '', { key = crypto.randomUUID(), ...options }: Options = {}) => {
  for (;;) {
    const answer = await send(operator, path, { key, ...options });
    if (answer.status !== 503 && answer.status !== 504) return answer;
  }
};

const order = async (): Promise<string> => {
  const { status, body } = await act(first);
  expect([status, body['status']]).toEqual([200, 'pending']);
  return String(body['actionId']);
};

const read = (id: string) => world.connection.collection<StoredReplacementOrder>('replacement_orders').findOne({ _id: id });

const queued = async () => ((await first.ask('GET /api/queues/orders')).body as QueueItems).items;

describe('an order of another account', { timeout: 120_000 }, () => {
  it('does nothing before another operator approves it, and waits in the queue of orders until then', async () => {
    const id = await order();
    expect(await queued()).toMatchObject([{ id, kind: 'replacement', userId: USER }]);
    const { queues } = (await third.ask('GET /api/queues')).body as QueueCounts;
    expect(queues.find(({ queue }) => queue === 'orders')?.count).toBe(1);
    expect(await act(first, `/${id}/approve`)).toMatchObject({ status: 403, body: { error: 'SELF_APPROVAL' } });
    expect(ledger.asked).toEqual([]);
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect(ledger.asked).toEqual([FORMER]);
    expect(await read(id)).toMatchObject({ status: 'resolved', accountId: FORMER, decidedBy: `operator:${second.id}` });
    expect(await queued()).toEqual([]);
  });

  it('is in the audit log with both operators, their reasons and the person', async () => {
    const id = await order();
    await act(second, `/${id}/approve`, { reason: 'looked at the Safe in an explorer' });
    const { calls } = (await second.ask('GET /api/audit')).body as AuditCalls;
    const own = calls.filter(({ operation }) => operation.endsWith('-replacement')).slice(0, 2);
    expect(
      own.map(({ operation, operatorId, reason, outcome, subjects }) => [operation, operatorId, reason, outcome?.code, subjects]),
    ).toEqual([
      [
        'accounts.approve-replacement',
        second.id,
        'looked at the Safe in an explorer',
        'OK',
        expect.objectContaining({ user_id: USER, replacement_order_id: id }),
      ],
      ['accounts.order-replacement', first.id, REASON, 'OK', expect.objectContaining({ user_id: USER, action_id: id })],
    ]);
  });

  it('is made once for a key, and carried out once however often it is approved', async () => {
    const key = crypto.randomUUID();
    const made = await act(first, '', { key });
    expect((await act(first, '', { key })).body).toEqual(made.body);
    const id = String(made.body['actionId']);
    const approval = crypto.randomUUID();
    for (const again of [approval, approval, crypto.randomUUID()])
      expect(await act(second, `/${id}/approve`, { key: again })).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect(ledger.asked).toHaveLength(1);
    expect(await act(third, `/${id}/approve`)).toMatchObject({ status: 409, body: { error: 'ORDER_STATE_CONFLICT' } });
    // A process that ended before it had stored that the order was made, which was carried out meanwhile.
    await world.connection.collection('actions').updateOne({ actionId: id }, { $unset: { status: '' } });
    expect(await act(first, '', { key })).toMatchObject({ status: 200, body: made.body });
  });

  it('has one approver of several who approve at once, in several processes', async () => {
    const other = await world.start();
    const rivals = [await other.operator('finance'), await office.operator('finance'), await other.operator('finance')];
    for (let round = 0; round < 5; round += 1) {
      Object.assign(ledger, { isReplaced: false, asked: [] });
      const id = await order();
      const answers = await Promise.all(rivals.map((one) => act(one, `/${id}/approve`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const winner = rivals[answers.findIndex(({ status }) => status === 200)];
      expect(await read(id)).toMatchObject({ status: 'resolved', decidedBy: `operator:${winner?.id}` });
    }
  });

  it('of which an approval and a rejection race has one of them', async () => {
    const id = await order();
    const answers = await Promise.all([act(second, `/${id}/approve`), act(third, `/${id}/reject`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isRejected = answers[1]?.status === 200;
    expect([(await read(id))?.status, ledger.isReplaced]).toEqual(isRejected ? ['rejected', false] : ['resolved', true]);
  });

  it.each([
    ['before the ledger is asked', 'SERVICE_UNAVAILABLE', undefined],
    ['before the ledger has answered', undefined, 'SERVICE_UNAVAILABLE'],
  ] as const)('whose approval ends %s is carried out by its approver, and by nobody else', async (_when, refusal, failure) => {
    const id = await order();
    Object.assign(ledger, { refusal, failure });
    expect(await send(second, `/${id}/approve`)).toMatchObject({ status: 503 });
    expect(await read(id)).toMatchObject({ status: 'approved', decidedBy: `operator:${second.id}` });
    Object.assign(ledger, { refusal: undefined, failure: undefined });
    for (const decision of ['approve', 'reject']) expect(await act(third, `/${id}/${decision}`)).toMatchObject({ status: 409 });
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect([ledger.isReplaced, (await read(id))?.status]).toEqual([true, 'resolved']);
  });

  it.each(['ACCOUNT_NOT_REPLACEABLE', 'SAFE_OWNER_REVOKED', 'ACCOUNT_STATE_CONFLICT'] as const)(
    'fails when the ledger refuses it with %s',
    async (refusal) => {
      const id = await order();
      ledger.refusal = refusal;
      for (let repeat = 0; repeat < 2; repeat += 1)
        expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200, body: { status: 'failed' } });
      expect([await read(id), ledger.asked.length]).toMatchObject([{ status: 'failed', failureCode: refusal }, 1]);
    },
  );

  it('was carried out when one of two attempts of its approver was refused before the other one succeeded', async () => {
    const id = await order();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    ledger.before = async () => {
      ledger.before = async () => undefined;
      await held;
    };
    const late = send(second, `/${id}/approve`);
    while (ledger.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    ledger.refusal = 'ACCOUNT_NOT_REPLACEABLE';
    expect(await act(second, `/${id}/approve`)).toMatchObject({ body: { status: 'failed' } });
    ledger.refusal = undefined;
    release();
    await late;
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 200 });
    expect((await read(id))?.status).toBe(ledger.isReplaced ? 'resolved' : 'failed');
  });

  it('is rejected once, also by who ordered it, and is of its person only', async () => {
    const id = await order();
    const [userId, nobody] = [FORMER, crypto.randomUUID()];
    for (const decision of ['approve', 'reject']) {
      expect(await act(second, `/${id}/${decision}`, { userId })).toMatchObject({ status: 404 });
      expect(await act(second, `/${nobody}/${decision}`)).toMatchObject({ status: 404 });
    }
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await act(first, `/${id}/reject`)).toMatchObject({ status: 200, body: { status: 'rejected' } });
    expect(await act(second, `/${id}/approve`)).toMatchObject({ status: 409 });
    expect(ledger.asked).toEqual([]);
  });

  it('is not made for an account whose Safe can be verified again, for one that was replaced, for nobody, or without a reason', async () => {
    expect(await act(first, '', { reason: 'short' })).toMatchObject({ status: 422 });
    expect(await act(first, '', { userId: FORMER })).toMatchObject({ status: 404, body: { error: 'ACCOUNT_NOT_FOUND' } });
    ledger.historyDiffers = false;
    expect(await act(first)).toMatchObject({ status: 409, body: { error: 'ACCOUNT_NOT_REPLACEABLE' } });
    ledger.isReplaced = true;
    expect(await act(first)).toMatchObject({ status: 409, body: { error: 'ACCOUNT_NOT_REPLACEABLE' } });
    for (const role of ['support', 'compliance', 'admin'] as const)
      expect(await act(await office.operator(role))).toMatchObject({ status: 403 });
  });
});
