import { create } from '@bufbuild/protobuf';
import { ExceptionKind, ExceptionProposal, ExceptionSchema, ExceptionStatus } from '@florin/proto/card/v1/exception';
import { ExceptionService, type ResolveExceptionRequest } from '@florin/proto/card/v1/exception_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { AccountService, type BatchGetAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { type Adjustment, AdjustmentSchema, AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import {
  AdjustmentService,
  type ApproveAdjustmentRequest,
  type CreateAdjustmentRequest,
  type GetAdjustmentRequest,
} from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ACCOUNT = '01890a5d-ac96-774b-bcce-b302099a8058';
const REASON = 'the card was issued before the range was ours';

let suspendedAmount: string;
/** The state in which the ledger leaves a new order. */
let outcome: AdjustmentStatus;
let orders: Map<string, Adjustment>;
let resolutions: { adjustmentId: string; actor: string; note: string }[];

const exception = () =>
  create(ExceptionSchema, {
    ...{ id: ID, kind: ExceptionKind.UNKNOWN_CARD, proposal: ExceptionProposal.ASSIGN },
    ...{ status: resolutions.length === 0 ? ExceptionStatus.OPEN : ExceptionStatus.RESOLVED },
    ...{ amount: '600', currency: 'EUR', eventId: 'event', eventType: 'clearing', suspendedAmount, token: 'EURe' },
    candidatePaymentIds: [ID, ACCOUNT],
  });
const orderOf = (adjustmentId: string): Adjustment => {
  const order = orders.get(adjustmentId);
  if (order === undefined) throw new CodedError('ADJUSTMENT_NOT_FOUND');
  return order;
};

const authority = await createTestAuthority({ 'back-office': [...Object.values(CARD_SCOPES), ...Object.values(LEDGER_SCOPES)] });
const card = await startNeighbour({
  authority,
  name: 'card',
  services: [
    implementPart(ExceptionService, {
      listExceptions: serviceMethod(() => ({ exceptions: [exception()], page: { nextCursor: '' } })),
      getException: serviceMethod(() => ({ exception: exception() })),
      resolveException: serviceMethod(({ adjustmentId, actor, note }: ResolveExceptionRequest) => {
        resolutions.push({ adjustmentId, actor, note });
        return { exception: exception() };
      }),
    }),
  ],
});
const ledger = await startNeighbour({
  authority,
  name: 'ledger',
  services: [
    implementPart(AccountService, {
      batchGetAccounts: serviceMethod(({ accountIds }: BatchGetAccountsRequest) => ({
        accounts: accountIds.map((id) => ({ id, userId: ID })),
      })),
    }),
    implementPart(AdjustmentService, {
      listAdjustments: serviceMethod(() => ({ adjustments: [...orders.values()], page: { nextCursor: '' } })),
      getAdjustment: serviceMethod(({ adjustmentId }: GetAdjustmentRequest) => ({ adjustment: orderOf(adjustmentId) })),
      createAdjustment: serviceMethod(({ adjustmentId, change, metadata }: CreateAdjustmentRequest) => {
        const adjustment = create(AdjustmentSchema, {
          id: adjustmentId,
          change,
          status: outcome,
          ...(metadata === undefined ? {} : { metadata }),
        });
        orders.set(adjustmentId, adjustment);
        return { adjustment };
      }),
      approveAdjustment: serviceMethod(({ adjustmentId }: ApproveAdjustmentRequest) => {
        const adjustment = { ...orderOf(adjustmentId), status: AdjustmentStatus.BOOKED };
        orders.set(adjustmentId, adjustment);
        return { adjustment };
      }),
    }),
  ],
});

let world: World;
let finance: Awaited<ReturnType<Awaited<ReturnType<World['start']>>['operator']>>;
let second: typeof finance;
beforeAll(async () => {
  const key = JSON.stringify(authority.serviceKey('back-office'));
  world = await createWorld({ CARD_URL: card.url, LEDGER_URL: ledger.url, SERVICE_KEY: key });
  const office = await world.start();
  finance = await office.operator('finance');
  second = await office.operator('finance');
});
afterAll(async () => {
  await world.close();
  await Promise.all([card.close(), ledger.close()]);
});
beforeEach(() => {
  suspendedAmount = '-6000000000000000000';
  outcome = AdjustmentStatus.PENDING;
  orders = new Map();
  resolutions = [];
});

const act = (path: string, body: object, operator = finance) =>
  operator.ask(`POST /api/${path}`, { headers: { 'idempotency-key': crypto.randomUUID() }, body: { reason: REASON, ...body } });
const book = (operator = finance) => act(`card-exceptions/${ID}/book`, { account: ACCOUNT }, operator);

describe('the exceptions of card payments', () => {
  it('are listed with their age, amount and proposal', async () => {
    expect((await finance.ask('GET /api/card-exceptions?status=open')).body).toMatchObject({
      exceptions: [
        {
          ...{ id: ID, kind: 'unknown-card', status: 'open', proposal: 'assign', eventType: 'clearing' },
          amount: { amount: '600', currency: 'EUR', decimals: 2 },
          candidates: [ID, ACCOUNT],
          suspended: { token: 'EURe', amount: '-6000000000000000000', decimals: 18, currency: 'EUR' },
        },
      ],
    });
  });

  it('end with a note where nothing is in suspense', async () => {
    suspendedAmount = '';
    expect(await act(`card-exceptions/${ID}/resolve`, {})).toMatchObject({ status: 200, body: { status: 'resolved' } });
    expect(resolutions).toEqual([{ adjustmentId: '', actor: `operator:${finance.id}`, note: REASON }]);
    resolutions = [];
    expect((await book()).status).toBe(422);
  });
});

describe('an amount in suspense', () => {
  it('is booked to an account by one order, and the exception ends with it', async () => {
    outcome = AdjustmentStatus.BOOKED;
    expect(await book()).toMatchObject({ status: 200, body: { status: 'resolved' } });
    const [order] = orders.values();
    const transfers = [{ debit: ACCOUNT, credit: 'suspense', token: 'EURe', amount: '6000000000000000000' }];
    expect(order).toMatchObject({ change: { value: { transfers, forced: true } }, metadata: { externalReference: ID, reason: REASON } });
    expect(resolutions).toMatchObject([{ adjustmentId: order?.id, note: REASON }]);
    expect((await book()).status).toBe(409);
    expect(orders.size).toBe(1);
  });

  it('that was refunded goes the other way', async () => {
    suspendedAmount = '6000000000000000000';
    await book();
    const transfers = [{ debit: 'suspense', credit: ACCOUNT, amount: suspendedAmount }];
    expect([...orders.values()]).toMatchObject([{ change: { value: { transfers } } }]);
  });

  it('waits for a second operator, is ordered once, and ends the exception when that one approves', async () => {
    expect(await book()).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await book(second)).toMatchObject({ status: 200, body: { status: 'pending' } });
    const [id] = orders.keys();
    expect([orders.size, resolutions]).toEqual([1, []]);
    expect(await act(`adjustments/${id}/approve`, {}, second)).toMatchObject({ status: 200, body: { status: 'booked' } });
    expect(resolutions).toEqual([{ adjustmentId: id, actor: `operator:${second.id}`, note: REASON }]);
  });

  it('is ordered anew after an order was rejected', async () => {
    outcome = AdjustmentStatus.REJECTED;
    await book();
    outcome = AdjustmentStatus.BOOKED;
    expect(await book()).toMatchObject({ body: { status: 'resolved' } });
    expect(orders.size).toBe(2);
  });
});

it('lists orders with the owners of all their accounts, and without addresses while identity is down', async () => {
  const named = Array.from({ length: 240 }, () => crypto.randomUUID());
  const transfers = named.map((debit) => ({ debit, credit: 'fees', token: 'EURe', amount: '1' }));
  for (let first = 0; first < named.length; first += 10) {
    const id = crypto.randomUUID();
    const value = { transfers: transfers.slice(first, first + 10) };
    orders.set(id, create(AdjustmentSchema, { id, status: AdjustmentStatus.PENDING, change: { case: 'transfers', value } }));
  }
  const { status, body } = await finance.ask('GET /api/adjustments');
  expect({ status, listed: (body['adjustments'] as unknown[]).length }).toEqual({ status: 200, listed: orders.size });
  expect(body['owners']).toEqual(named.map((accountId) => ({ accountId, userId: ID })));
});
