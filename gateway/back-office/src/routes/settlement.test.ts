import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import {
  type CloseDayRequest,
  DayCloseSchema,
  type GetDayRequest,
  type ListDaysRequest,
  SettlementService,
} from '@florin/proto/settlement/v1/settlement_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditCalls } from '../contract/index.ts';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const REASON = 'all records of the day have arrived';
const balances = [
  { account: 'payable/visa/2026-11-23', currency: 'EUR', amount: '-4200' },
  { account: 'payable/visa/2026-11-23', currency: 'JPY', amount: '7' },
  { account: 'receivable', currency: 'EUR', amount: '4200' },
];
const shown = {
  positions: [
    { network: 'visa', day: '2026-11-23', amount: '4200', currency: 'EUR', decimals: 2 },
    { network: 'visa', day: '2026-11-23', amount: '-7', currency: 'JPY', decimals: 0 },
  ],
  accounts: [{ account: 'receivable', amount: '4200', currency: 'EUR', decimals: 2 }],
};
const close = create(DayCloseSchema, {
  ...{ day: '2026-11-24', previousDay: '2026-11-22', closedAt: timestampFromDate(new Date('2026-11-25T06:00:00Z')) },
  ...{ records: 12n, recordsHash: 'ab'.repeat(32), block: 7n, previousHash: 'cd'.repeat(32), balances, x: 'key', signature: 'signature' },
});

const verdict = { day: '2026-11-23', differences: 2, comparesChain: true, digest: 'ef'.repeat(32), key: 'thumbprint' };
const lastReport = { ...verdict, madeAt: timestampFromDate(new Date('2026-11-24T07:00:00Z')) };

const authority = await createTestAuthority({ 'back-office': Object.values(SETTLEMENT_SCOPES) });
const closed: string[] = [];
const settlement = await startNeighbour({
  authority,
  name: 'settlement',
  services: [
    implementPart(SettlementService, {
      listBalances: serviceMethod(() => ({ balances, closedDay: closed.at(-1) ?? '', ...(closed.length === 0 ? {} : { lastReport }) })),
      listReports: serviceMethod(() => ({ reports: closed.length === 0 ? [] : [lastReport, { ...lastReport, day: '2026-11-22' }] })),
      listDays: serviceMethod(({ page }: ListDaysRequest) => {
        const { day, closedAt, records } = close;
        return {
          days: page?.cursor === 'later' ? [] : [{ day, closedAt, records }],
          page: { nextCursor: page?.cursor === '' ? 'later' : '' },
        };
      }),
      getDay: serviceMethod(({ day }: GetDayRequest) => {
        if (day > close.day) throw new CodedError('DAY_NOT_CLOSED');
        return { close };
      }),
      closeDay: serviceMethod(({ day }: CloseDayRequest) => {
        if (day > close.day) throw new CodedError('DAY_NOT_ENDED');
        closed.push(day);
        return { close };
      }),
    }),
  ],
});

let world: World;
let office: BackOffice;
let finance: Awaited<ReturnType<BackOffice['operator']>>;
beforeAll(async () => {
  world = await createWorld({ SETTLEMENT_URL: settlement.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  office = await world.start();
  finance = await office.operator('finance');
});
afterAll(async () => {
  await world.close();
  await settlement.close();
});

const closeDay = (day: string, key: string = crypto.randomUUID()) =>
  finance.ask('POST /api/settlement/close', { headers: { 'idempotency-key': key }, body: { day, reason: REASON } });

describe('the books of settlement', () => {
  it('are shown with positions as what is owed to networks, and closed once per key', async () => {
    expect((await finance.ask('GET /api/settlement')).body).toEqual({ ...shown, reports: [] });
    const key = crypto.randomUUID();
    for (let time = 0; time < 2; time += 1) expect((await closeDay('2026-11-23', key)).body).toMatchObject({ status: '2026-11-24' });
    expect(closed).toEqual(['2026-11-23']);
    const told = { ...verdict, madeAt: '2026-11-24T07:00:00.000Z' };
    expect((await finance.ask('GET /api/overview')).body).toMatchObject({ closedDay: '2026-11-23', lastReport: told });
    const { body } = await finance.ask('GET /api/settlement');
    expect(body).toMatchObject({ closedDay: '2026-11-23', reports: [told, { ...told, day: '2026-11-22' }] });
  });

  it('list the closed days in pages', async () => {
    const days = [{ day: '2026-11-24', closedAt: '2026-11-25T06:00:00.000Z', records: 12 }];
    expect((await finance.ask('GET /api/settlement/days')).body).toEqual({ days, nextCursor: 'later' });
    expect((await finance.ask('GET /api/settlement/days?cursor=later')).body).toEqual({ days: [] });
  });

  it('are closed and read under records that name the day', async () => {
    await closeDay('2026-11-24');
    await finance.ask('GET /api/settlement/days/2026-11-23');
    const { calls } = (await (await office.operator('admin')).ask('GET /api/audit')).body as AuditCalls;
    const days = calls
      .filter(({ operation }) => operation.startsWith('settlement.'))
      .map(({ operation, subjects }) => [operation, subjects['day']]);
    expect(days.slice(0, 2)).toEqual([
      ['settlement.day', '2026-11-23'],
      ['settlement.close', '2026-11-24'],
    ]);
  });

  it('show the signed close that a day is in', async () => {
    expect((await finance.ask('GET /api/settlement/days/2026-11-23')).body).toEqual({
      ...shown,
      ...{ day: '2026-11-24', previousDay: '2026-11-22', closedAt: '2026-11-25T06:00:00.000Z' },
      ...{ records: 12, recordsHash: 'ab'.repeat(32), block: 7, previousHash: 'cd'.repeat(32), key: 'key', signature: 'signature' },
    });
  });

  it.each([
    ['a day that is open', 'GET /api/settlement/days/2026-11-25', 'DAY_NOT_CLOSED'],
    ['no date', 'GET /api/settlement/days/24.11.2026', 'VALIDATION_FAILED'],
    ['no day of the calendar', 'GET /api/settlement/days/2026-02-31', 'VALIDATION_FAILED'],
  ])('refuse to show %s', async (_, target, code) => {
    expect((await finance.ask(target)).body).toMatchObject({ error: code });
  });

  it('are closed for no day that has not ended, and by nobody who may not', async () => {
    expect((await closeDay('2026-11-25')).body).toMatchObject({ error: 'DAY_NOT_ENDED' });
    const others = await office.operator('support', 'compliance', 'admin');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const target = 'POST /api/settlement/close';
    expect((await others.ask(target, { headers, body: { day: '2026-11-23', reason: REASON } })).status).toBe(403);
    expect((await others.ask('GET /api/settlement')).status).toBe(403);
  });
});

it('is not there without a settlement service', async () => {
  const without = await createWorld();
  const alone = await (await without.start()).operator('finance');
  expect((await alone.ask('GET /api/settlement')).body).toMatchObject({ error: 'NOT_FOUND' });
  await without.close();
});
