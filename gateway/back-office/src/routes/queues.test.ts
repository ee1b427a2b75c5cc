import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ExceptionKind, ExceptionSchema, ExceptionStatus } from '@florin/proto/card/v1/exception';
import { ExceptionService, type GetExceptionRequest, type ListExceptionsRequest } from '@florin/proto/card/v1/exception_service';
import { DisputeStage, PaymentSchema } from '@florin/proto/card/v1/payment';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { AccountSchema } from '@florin/proto/ledger/v1/account';
import { AccountService, type ListAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { DepositSchema, DepositStatus } from '@florin/proto/ledger/v1/movement';
import { type GetDepositRequest, type ListPendingDepositsRequest, MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_NOTES, QUEUE_NAMES, type QueueCounts, type QueueItems } from '../contract/index.ts';
import { createWorld, type World } from '../testing/world.ts';

const HOUR_MS = 3_600_000;
const USER = '01890a5d-ac96-774b-bcce-b302099a8050';
const ACCOUNT = '01890a5d-ac96-774b-bcce-b302099a8051';
const idOf = (number: number): string => `01890a5d-ac96-774b-bcce-b3020990${String(number).padStart(4, '0')}`;
const NOTE = 'asked the sender for an invoice';

let world: World;
/** Hours for which each held deposit has waited. */
let held: number[];
let readings = 0;

const now = () => world?.clock.now() ?? new Date();
const ago = (hours: number) => timestampFromDate(new Date(now().getTime() - hours * HOUR_MS));
const depositOf = (hours: number, index: number) =>
  create(DepositSchema, {
    ...{ id: idOf(index), accountId: ACCOUNT, amount: '5', decimals: 2, currency: 'EUR', createdAt: ago(hours) },
    status: DepositStatus.PENDING,
  });

const authority = await createTestAuthority({ 'back-office': [...Object.values(CARD_SCOPES), ...Object.values(LEDGER_SCOPES)] });
const exceptionOf = (kind: ExceptionKind, number: number) =>
  create(ExceptionSchema, {
    ...{ id: idOf(number), kind, status: ExceptionStatus.OPEN, amount: '600', currency: 'EUR', createdAt: ago(1) },
  });
const exceptions = [
  exceptionOf(ExceptionKind.UNKNOWN_CARD, 101),
  exceptionOf(ExceptionKind.NOT_SETTLED, 102),
  exceptionOf(ExceptionKind.UNEXPLAINED_MOVEMENT, 103),
];
const card = await startNeighbour({
  authority,
  name: 'card',
  services: [
    implementPart(ExceptionService, {
      listExceptions: serviceMethod(({ kinds }: ListExceptionsRequest) => ({
        exceptions: exceptions.filter(({ kind }) => kinds.includes(kind)),
        page: { nextCursor: '' },
      })),
      getException: serviceMethod(({ exceptionId }: GetExceptionRequest) => ({
        exception: exceptions.find(({ id }) => id === exceptionId),
      })),
    }),
    implementPart(PaymentService, {
      listDisputes: serviceMethod(() => ({
        payments: [
          create(PaymentSchema, {
            ...{ id: idOf(201), accountId: ACCOUNT, currency: 'EUR', createdAt: ago(900) },
            dispute: {
              ...{ status: 'submitted', amount: '1250', stage: DisputeStage.REPRESENTMENT },
              ...{ openedAt: ago(2), deadline: ago(-1) },
            },
          }),
        ],
        page: { nextCursor: '' },
      })),
    }),
  ],
});
const ledger = await startNeighbour({
  authority,
  name: 'ledger',
  services: [
    implementPart(MovementService, {
      listPendingDeposits: serviceMethod(({ page }: ListPendingDepositsRequest) => {
        readings += 1;
        const from = Number(page?.cursor ?? '');
        const to = from + (page?.limit ?? 0);
        return { deposits: held.map(depositOf).slice(from, to), page: { nextCursor: to < held.length ? String(to) : '' } };
      }),
      getDeposit: serviceMethod(({ depositId }: GetDepositRequest) => {
        const deposit = held.map(depositOf).find(({ id }) => id === depositId);
        if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
        return { deposit };
      }),
    }),
    implementPart(AccountService, {
      batchGetAccounts: serviceMethod(() => ({ accounts: [create(AccountSchema, { id: ACCOUNT, userId: USER })] })),
      listAccounts: serviceMethod(({ blocked }: ListAccountsRequest) => ({
        accounts: blocked ? [create(AccountSchema, { id: ACCOUNT, userId: USER, updatedAt: ago(80) })] : [],
        page: { nextCursor: '' },
      })),
    }),
    implementPart(AdjustmentService, {
      listAdjustments: serviceMethod(() => ({ adjustments: [], page: { nextCursor: '' } })),
    }),
  ],
});

type Operator = Awaited<ReturnType<Awaited<ReturnType<World['start']>>['operator']>>;
let compliance: Operator;
let second: Operator;
let support: Operator;
let admin: Operator;
let office: Awaited<ReturnType<World['start']>>;
beforeAll(async () => {
  const key = JSON.stringify(authority.serviceKey('back-office'));
  world = await createWorld({ CARD_URL: card.url, LEDGER_URL: ledger.url, SERVICE_KEY: key });
  office = await world.start();
  compliance = await office.operator('compliance');
  second = await office.operator('compliance');
  support = await office.operator('support');
  admin = await office.operator('admin');
});
afterAll(async () => {
  await world.close();
  await Promise.all([card.close(), ledger.close()]);
});
beforeEach(async () => {
  held = [1, 5];
  world.clock.advanceSeconds(60);
  await world.connection.collection('queue_items').deleteMany({});
});

const read = async (queue: string, operator = compliance) => (await operator.ask(`GET /api/queues/${queue}`)).body as unknown as QueueItems;
const counts = async (operator = compliance) => (await operator.ask('GET /api/queues')).body as unknown as QueueCounts;
const act = (path: string, body: object, operator = compliance, key: string = crypto.randomUUID()) =>
  operator.ask(`POST /api/queues/${path}`, { headers: { 'idempotency-key': key }, body });
const assign = (to: string | null, from: string | null, operator = compliance) =>
  act(`deposits/items/${idOf(0)}/assign`, { to, from }, operator);

describe('the counts of queues', () => {
  it('tell everybody how much is open and overdue, name what cannot be read, and leave no record', async () => {
    const recorded = () => world.connection.collection('audit_events').countDocuments();
    const before = await recorded();
    const told = await counts(support);
    expect(told.unavailable).toEqual(['identity']);
    expect(told.queues.map(({ queue, count, overdue }) => [queue, count, overdue])).toEqual([
      ['deposits', 2, 1],
      ['accounts', 1, 1],
      ['orders', 0, 0],
      ['exceptions', 1, 0],
      ['settlement', 2, 0],
      ['disputes', 1, 0],
      ['transfers', 0, 0],
      ['webhooks', 0, 0],
    ]);
    expect(await recorded()).toBe(before);
  });

  it('are read once for all who ask within ten seconds, and anew after a change', async () => {
    const before = readings;
    const first = await counts();
    await Promise.all([counts(second), counts(support), counts()]);
    expect(readings).toBe(before + 1);
    expect((await assign(second.id, null)).status).toBe(200);
    const revisionOf = ({ queues }: QueueCounts) => queues.find(({ queue }) => queue === 'deposits')?.revision;
    const changed = await counts();
    expect(revisionOf(changed)).not.toBe(revisionOf(first));
    held = [1];
    expect(await counts()).toEqual(changed);
    world.clock.advanceSeconds(10);
    expect((await counts()).queues[0]).toMatchObject({ queue: 'deposits', count: 1 });
  });
});

describe('a queue of hundreds', () => {
  it('is counted and listed with its oldest items, in whatever order its service lists them', async () => {
    held = [...Array.from({ length: 230 }, () => 1), ...Array.from({ length: 120 }, () => 5)];
    const { queues } = await counts();
    expect(queues[0]).toMatchObject({
      queue: 'deposits',
      count: 350,
      overdue: 120,
      oldest: new Date(now().getTime() - 5 * HOUR_MS).toISOString(),
    });
    const { items, hasMore } = await read('deposits');
    expect([items.length, items.filter(({ isOverdue }) => isOverdue).length, hasMore]).toEqual([350, 120, false]);
  });

  it('has its first thousand items, and says that there are more', async () => {
    held = Array.from({ length: 1001 }, (_, index) => (index < 500 ? 1 : 5));
    expect((await counts()).queues[0]).toMatchObject({ count: 1000, overdue: 500 });
    const { items, hasMore } = await read('deposits');
    expect([items.length, items.slice(0, 500).every(({ isOverdue }) => isOverdue), hasMore]).toEqual([1000, true, true]);
  });
});

describe('a queue', () => {
  it('lists what is open with its age, the longest overdue first, for those who work on it', async () => {
    const { items, hasMore, operators } = await read('deposits');
    expect(items).toMatchObject([
      { id: idOf(1), userId: USER, kind: 'deposit', isOverdue: true, amount: { amount: '5', decimals: 2, currency: 'EUR' }, notes: [] },
      { id: idOf(0), isOverdue: false },
    ]);
    expect([hasMore, new Set(operators.map(({ id }) => id))]).toEqual([false, new Set([compliance.id, second.id])]);
    for (const queue of QUEUE_NAMES) {
      const { status } = await support.ask(`GET /api/queues/${queue}`);
      const isSupports = queue === 'webhooks' || queue === 'disputes';
      expect([queue, status === 403]).toEqual([queue, !isSupports]);
    }
    expect((await act(`deposits/items/${idOf(0)}/notes`, { reason: NOTE }, support)).status).toBe(403);
    expect((await assign(support.id, null, support)).status).toBe(403);
  });

  it('has a dispute with its stage, due when the network expects the next step', async () => {
    const { items } = await read('disputes', support);
    const at = (hours: number) => new Date(world.clock.now().getTime() + hours * HOUR_MS).toISOString();
    expect(items).toMatchObject([{ id: idOf(201), userId: USER, kind: 'representment', since: at(-2), dueAt: at(1), isOverdue: false }]);
  });
});

describe('an item', () => {
  it('is assigned to one of two who take it at once, and to nobody again', async () => {
    const taken = await Promise.all([assign(compliance.id, null), assign(second.id, null, second)]);
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(taken.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'ASSIGNMENT_CHANGED' });
    const assignee = (await read('deposits')).items.find(({ id }) => id === idOf(0))?.assignee;
    expect(assignee).toEqual({ id: taken[0].status === 200 ? compliance.id : second.id, name: 'Olga Operator' });
    expect(await assign(null, assignee?.id ?? '')).toMatchObject({ status: 200, body: { status: 'unassigned' } });
    expect((await read('deposits')).items.find(({ id }) => id === idOf(0))?.assignee).toBeUndefined();
  });

  it('is assigned only while it is open, and to somebody who may work on it', async () => {
    expect(await assign(support.id, null)).toMatchObject({ status: 422, body: { message: expect.stringContaining('to: ') } });
    expect((await act(`deposits/items/${idOf(9)}/assign`, { to: compliance.id, from: null })).status).toBe(404);
    expect((await act(`deposits/items/${idOf(9)}/notes`, { reason: NOTE })).status).toBe(404);
    expect((await act(`deposits/items/${idOf(0)}/notes`, { reason: 'short' })).status).toBe(422);
    expect(await world.connection.collection('queue_items').countDocuments()).toBe(0);
  });

  it('is open in one of the queues of exceptions', async () => {
    const finance = await office.operator('finance');
    const noteIn = async (queue: string, number: number) =>
      (await act(`${queue}/items/${idOf(number)}/notes`, { reason: NOTE }, finance)).status;
    expect([await noteIn('exceptions', 101), await noteIn('exceptions', 102)]).toEqual([200, 404]);
    expect([await noteIn('settlement', 101), await noteIn('settlement', 102)]).toEqual([404, 200]);
  });

  it('keeps notes in their order, a repeated one once, also when they are written at once', async () => {
    const path = `deposits/items/${idOf(0)}/notes`;
    const key = crypto.randomUUID();
    for (const _repeat of [1, 2]) expect(await act(path, { reason: NOTE }, compliance, key)).toMatchObject({ body: { status: 'noted' } });
    await Promise.all(['a', 'b', 'c'].map((letter) => act(path, { reason: letter.repeat(10) }, second)));
    const notes = (await read('deposits')).items.find(({ id }) => id === idOf(0))?.notes ?? [];
    expect(notes[0]).toMatchObject({ by: 'Olga Operator', text: NOTE });
    expect(notes.map(({ text }) => text[0]).toSorted()).toEqual(['a', 'a', 'b', 'c']);
  });

  it('keeps the latest fifty notes', async () => {
    const path = `deposits/items/${idOf(1)}/notes`;
    for (let number = 0; number <= MAX_NOTES; number += 1) await act(path, { reason: `note number ${number}` });
    const { notes } = (await read('deposits')).items[0] ?? { notes: [] };
    expect([notes.length, notes[0]?.text, notes.at(-1)?.text]).toEqual([MAX_NOTES, 'note number 1', `note number ${MAX_NOTES}`]);
  });

  it('is in the audit log with its queue, its id and the note', async () => {
    await act(`deposits/items/${idOf(0)}/notes`, { reason: NOTE });
    const { body } = await admin.ask('GET /api/audit');
    expect(body['calls']).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'queues.note', operatorId: compliance.id, reason: NOTE },
        subjects: expect.objectContaining({ queue: 'deposits', item_id: idOf(0) }),
      }),
    );
  });
});
