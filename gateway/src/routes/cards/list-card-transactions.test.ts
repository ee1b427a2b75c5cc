import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID, cardPayment, time } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const ask = (query: string) => gateway.ask(`GET /cards/transactions?${query}`, { token: gateway.userToken });
const at = (time: string) => timestampFromDate(new Date(time));

it.each([
  ['categoryCode=5942', '5942'],
  ['mcc=5942', '5942'],
  ['mcc=5942&categoryCode=5812', '5812'],
  ['categoryCode=3000-3299,4511', '3000-3299,4511'],
])('are filtered by the category of the merchant: %s', async (query, categoryCode) => {
  expect(await ask(query)).toMatchObject({ status: 200 });
  expect(gateway.callOf('listPayments')?.request).toMatchObject({ categoryCode });
});

it.each(['594', '5942,', '5942-', '5942-59', 'books', Array(65).fill('5942').join()])(
  'are not filtered by the category %j',
  async (codes) => {
    expect(await ask(`categoryCode=${codes}`)).toMatchObject({ status: 422 });
  },
);

it('are filtered by a part of the name of the merchant', async () => {
  expect(await ask('merchant=book%20(shop)')).toMatchObject({ status: 200 });
  expect(gateway.callOf('listPayments')?.request).toMatchObject({ merchantName: 'book (shop)' });
  expect(await ask(`merchant=${'x'.repeat(41)}`)).toMatchObject({ status: 422 });
});

it('are found by their disputes, which are filtered alike', async () => {
  const query = `status=won&cardId=${CARD_ID}&from=2026-01-01&to=2026-01-31`;
  gateway.fakes.stub('listPayments', () => ({
    payments: [
      {
        ...cardPayment,
        dispute: { ...cardPayment.dispute, openedAt: time },
        earlierDisputes: [{ ...cardPayment.dispute, status: 'won' }],
      },
    ],
  }));
  const list = (of: string) => gateway.ask(`GET /cards/disputes${of}`, { token: gateway.userToken });
  expect(await list(`?${query}`)).toMatchObject({ status: 200, body: { data: [{ status: 'won' }] } });
  expect(gateway.callOf('listPayments')?.request).toMatchObject({
    ...{ disputed: true, disputeStatus: 'won', cardId: CARD_ID },
    ...{ from: at('2026-01-01T00:00:00Z'), to: at('2026-02-01T00:00:00Z') },
  });
  expect(await list('')).toMatchObject({
    body: { data: [{ status: 'submitted', createdAt: '2026-01-31T12:00:00.123Z' }, { status: 'won' }] },
  });
  expect(await list('?status=lots')).toMatchObject({ status: 422 });
});

describe('the period of card transactions', () => {
  it.each([
    ['from=2026-01-01&to=2026-01-31', { from: at('2026-01-01T00:00:00Z'), to: at('2026-02-01T00:00:00Z') }],
    ['from=2026-01-01T12:00:00%2B01:00', { from: at('2026-01-01T11:00:00Z') }],
    ['after=2026-01-01T00:00:00Z&before=2026-01-02T00:00:00Z', { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-02T00:00:00Z') }],
    ['from=2026-01-03&after=2026-01-01T00:00:00Z', { from: at('2026-01-03T00:00:00Z') }],
  ])('is read from %s', async (query, period) => {
    expect(await ask(query)).toMatchObject({ status: 200 });
    expect(gateway.callOf('listPayments')?.request).toMatchObject(period);
  });

  it.each([
    ['from=2026-01-02&to=2026-01-01', 'from: must not be later than to'],
    ['after=2026-01-02T00:00:00Z&before=2026-01-01T00:00:00Z', 'after: must not be later than before'],
    ['from=yesterday', 'from: must be an ISO 8601 date, or a time with an offset'],
  ])('is rejected with %s', async (query, message) => {
    expect(await ask(query)).toMatchObject({ status: 422, body: { error: { message } } });
    expect(gateway.callOf('listPayments')).toBeUndefined();
  });
});
