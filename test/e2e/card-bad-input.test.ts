import { randomUUID } from 'node:crypto';
import type { Payment } from '@florin/proto/card/v1/payment';
import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, type Person, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
let person: Person;
let stranger: Person;
let cardId: string;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  [person, stranger] = [await registerPerson(platform.api), await registerPerson(platform.api)];
  cardId = await createCard(platform.api, person.token);
  await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const MONEY = ['authorize', 'increment', 'advise', 'clear', 'refund', 'reverseRefund', 'credit', 'announceCredit', 'correct'] as const;
/** Reports that go into suspense when their card or rate is not known. */
const BOOKED: readonly Operation[] = ['clear', 'refund', 'reverseRefund', 'credit', 'correct'];
const WITH_AMOUNT = [...MONEY, 'reverse'] as const;
const NO_MONEY = ['expire', 'inquireBalance', 'verify'] as const;
const WITH_MERCHANT = [
  ...['authorize', 'advise', 'clear', 'refund', 'reverseRefund', 'credit', 'announceCredit', 'correct'],
  ...['inquireBalance', 'verify'],
] as const;
const OPERATIONS = [...WITH_AMOUNT, ...NO_MONEY];
type Operation = (typeof OPERATIONS)[number];

const has = (operations: readonly string[], operation: string): boolean => operations.includes(operation);

/** Sends an event that is right but for `change`. */
const send = (operation: Operation, change: object = {}) => {
  const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId };
  const request = {
    event,
    ...(has(WITH_AMOUNT, operation) ? { amount: euro(100) } : {}),
    ...(has(WITH_MERCHANT, operation) ? { merchant: SHOP } : {}),
    ...(operation === 'correct' ? { direction: CorrectionDirection.DEBIT } : {}),
    ...change,
  };
  return (network.processor[operation] as (all: object) => Promise<object>)(request);
};

/** Everything that the card service has written about a person. */
const written = async ({ token } = person, card = cardId) => ({
  transactions: await platform.api.as(token).cards.listCardTransactions(),
  balances: await platform.api.as(token).userAccount.getBalances(),
  limits: await platform.api.as(token).cards.getCardLimits({ cardId: card }),
});

const rejects = async (operation: Operation, change: object, code = 'VALIDATION_FAILED') => {
  const before = await written();
  await expect(send(operation, change)).rejects.toMatchObject({ code });
  expect(await written()).toEqual(before);
};

const AMOUNTS: [string, object][] = [
  ['zero', euro(0)],
  ['a negative number', euro(-100)],
  ['above 10^15', euro(10n ** 15n + 1n)],
  ['no integer', { amount: '1.00', currency: 'EUR', decimals: 2 }],
  ["in another currency's decimals", { amount: '100', currency: 'JPY', decimals: 2 }],
  ['in a currency that has no form', { amount: '100', currency: 'ZZ', decimals: 2 }],
  ['billed below zero', { ...euro(100), billingAmount: '-1' }],
];

describe.each(OPERATIONS)('%s', (operation) => {
  it('rejects an unknown card, and ids that are malformed', async () => {
    const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId };
    if (!has(BOOKED, operation)) await rejects(operation, { event: { ...event, cardId: randomUUID() } }, 'CARD_NOT_FOUND');
    await rejects(operation, { event: { ...event, cardId: 'x' } });
    await rejects(operation, { event: { ...event, eventId: '' } });
    await rejects(operation, { event: { ...event, eventId: 'a b' } });
    await rejects(operation, { event: { ...event, transactionId: 'x'.repeat(101) } });
    await rejects(operation, { event: undefined });
  });
});

describe.each(WITH_AMOUNT)('%s with an amount', (operation) => {
  it.each(AMOUNTS)('rejects an amount that is %s', async (_what, amount) => {
    await rejects(operation, { amount });
  });
});

describe.each(MONEY)('%s', (operation) => {
  it('rejects a currency without a rate, and a missing amount', async () => {
    if (!has(BOOKED, operation))
      await rejects(operation, { amount: { amount: '100', currency: 'ISK', decimals: 0 } }, 'CURRENCY_NOT_SUPPORTED');
    await rejects(operation, { amount: undefined });
  });
});

describe.each(['authorize', 'inquireBalance', 'verify'] as const)('%s', (operation) => {
  it('rejects merchants with control characters, unknown categories and countries', async () => {
    await rejects(operation, { merchant: { ...SHOP, name: 'Shop\u0000' } });
    await rejects(operation, { merchant: { ...SHOP, city: 'Ber\nlin' } });
    await rejects(operation, { merchant: { ...SHOP, id: 'M\u202e1' } });
    await rejects(operation, { merchant: { ...SHOP, categoryCode: '99999' } });
    await rejects(operation, { merchant: { ...SHOP, country: 'Germany' } });
  });
});

describe.each(['advise', 'clear', 'refund', 'reverseRefund', 'credit', 'announceCredit', 'correct'] as const)('%s', (operation) => {
  it('is recorded without optional fields that are malformed, and in any currency that is billed', async () => {
    const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId, authorizationCode: '12345 ', retrievalReference: '%' };
    const merchant = {
      id: 'M\u202e1',
      name: 'Corner Shop\u0000 of the whole long High Street',
      city: '',
      country: 'DEU',
      categoryCode: '0000',
    };
    const change = { event, merchant, amount: { amount: '100', currency: 'BGN', decimals: 2, billingAmount: '51' } };
    const { payment } = (await send(operation, change)) as { payment?: Payment };
    expect(payment).toMatchObject({
      ...{ originalAmount: '100', originalCurrency: 'BGN', originalDecimals: 2, retrievalReference: '' },
      merchant: { id: '', name: 'Corner Shop of the whole long High Stree', country: 'DE', categoryCode: '' },
    });
    expect((await send(operation, change)) as object).toMatchObject({ payment: { id: payment?.id } });
  });
});

describe('the network', () => {
  it('needs the scope of the processor', async () => {
    const processor = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey, []);
    await expect(processor.payment(cardId).authorize(100)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await processor.close();
  });

  it('books a clearing in a third currency, and takes events of payments that it has not announced', async () => {
    const payment = network.payment(cardId);
    await payment.authorize(0, { amount: { amount: '1000', currency: 'USD', decimals: 2 } });
    expect(await payment.clear(0, { amount: { amount: '800', currency: 'GBP', decimals: 2 } })).toMatchObject({ clearedAmount: '946' });
    const unannounced = () => network.payment(cardId);
    expect(await unannounced().expire()).toMatchObject({ heldAmount: '0' });
    expect(await unannounced().reverse(100)).toMatchObject({ heldAmount: '0' });
    expect(await unannounced().increment(100)).toMatchObject({ approved: false, responseCode: '12' });
    expect(await unannounced().clear(100)).toMatchObject({ clearedAmount: '100' });
  });
});

describe('REST', () => {
  const LISTS = { allow: [], deny: [] };
  const OTHERS: [string, string, object?][] = [
    ['POST', 'freeze'],
    ['POST', 'unfreeze'],
    ['POST', 'lost'],
    ['POST', 'stolen'],
    ['POST', 'cancel'],
    ['POST', 'replace'],
    ['POST', 'renew'],
    ['GET', 'limits'],
    ['PUT', 'limits', { perTransaction: null, daily: null, weekly: null, monthly: null, atm: null }],
    ['GET', 'controls'],
    ['PUT', 'controls', { ...{ categories: LISTS, countries: LISTS, merchants: LISTS }, online: true, contactless: true, atm: true }],
  ];

  it.each(OTHERS)('%s /cards/{cardId}/%s treats another person’s card like one that does not exist', async (method, path, body) => {
    const cases: [string, string][] = [
      [cardId, stranger.token],
      [randomUUID(), person.token],
    ];
    for (const [id, token] of cases) {
      const answer = await platform.api.request(method, `/cards/${id}/${path}`, {
        token,
        ...(method === 'GET' ? {} : { body: body ?? {} }),
      });
      expectCode(answer, 404, 'CARD_NOT_FOUND');
    }
  });

  it.each([
    { daily: { amount: '-1', currency: 'EUR' } },
    { daily: { amount: '1.5', currency: 'EUR' } },
    { daily: { amount: `${10n ** 15n}`, currency: 'EUR' } },
    { daily: { amount: '1', currency: 'USD' } },
    { daily: '100' },
  ])('rejects the limits %j', async (body) => {
    expect((await platform.api.request('PUT', `/cards/${cardId}/limits`, { token: person.token, body })).status).toBe(422);
  });

  it.each([
    { categories: { deny: ['12'] } },
    { countries: { allow: ['Germany'] } },
    { merchants: { deny: ['M\u0007'] } },
    { online: 'no' },
    { categories: { deny: Array.from({ length: 201 }, (_, index) => String(3000 + index)) } },
  ])('rejects the controls %j', async (body) => {
    expect((await platform.api.request('PUT', `/cards/${cardId}/controls`, { token: person.token, body })).status).toBe(422);
  });

  it('rejects disputes of unknown payments and for unknown reasons', async () => {
    const dispute = (id: string, body: object, token = person.token) =>
      platform.api.request('POST', `/cards/transactions/${id}/dispute`, { token, body });
    const payment = network.payment(cardId);
    const { paymentId } = await payment.authorize(100);
    await payment.clear(100);
    expectCode(await dispute(randomUUID(), { reason: 'fraud' }), 404, 'PAYMENT_NOT_FOUND');
    expectCode(await dispute(paymentId, { reason: 'fraud' }, stranger.token), 404, 'PAYMENT_NOT_FOUND');
    expect((await dispute(paymentId, { reason: 'regret' })).status).toBe(422);
    expect((await dispute(paymentId, { reason: 'fraud', text: 'x\u0000' })).status).toBe(422);
  });
});

describe('the sandbox', () => {
  const MOVING = ['clear', 'force', 'refund', 'advise', 'announce-credit', 'correct-debit', 'correct-credit', 'increment'] as const;
  /** A person for whom nothing is booked, also not late. */
  let payer: Person;
  let card: string;
  let paymentId: string;
  beforeAll(async () => {
    payer = await registerPerson(platform.api);
    card = await createCard(platform.api, payer.token);
    const request = { event: network.payment(card).event(), merchant: SHOP };
    const { decision } = await untilKnown(() => network.processor.verify(request));
    paymentId = decision?.paymentId ?? '';
  });

  const rejected = (answer: Answer): void => expect(answer).toMatchObject({ status: 422, body: { success: false, kind: 'validation' } });
  const post = (path: string, body: object, token = payer.token) => platform.api.request('POST', `/sandbox/${path}`, { token, body });

  it.each([...MOVING, 'reverse', 'expire'])('%s treats another person’s payment like one that does not exist', async (action) => {
    const before = await written(payer, card);
    const body = action === 'expire' ? {} : { amount: '100' };
    expectCode(await post(`payments/${paymentId}/${action}`, body, stranger.token), 404, 'PAYMENT_NOT_FOUND');
    expectCode(await post(`payments/${randomUUID()}/${action}`, body), 404, 'PAYMENT_NOT_FOUND');
    expect(await written(payer, card)).toEqual(before);
  });

  it.each(MOVING)('%s rejects wrong amounts and currencies', async (action) => {
    const before = await written(payer, card);
    for (const amount of ['0', '-100', '1.00', '1e3', `${10n ** 15n + 1n}`, 100]) {
      rejected(await post(`payments/${paymentId}/${action}`, { amount }));
    }
    rejected(await post(`payments/${paymentId}/${action}`, { amount: '100', currency: 'ZZZ' }));
    expectCode(await post(`payments/${paymentId}/${action}`, { amount: '100', currency: 'ISK' }), 422, 'CURRENCY_NOT_SUPPORTED');
    expect(await written(payer, card)).toEqual(before);
  });

  it.each(['payments', 'refunds', 'credits'])('%s rejects other people’s cards, and wrong amounts and merchants', async (kind) => {
    const right = { cardId: card, amount: '100', currency: 'EUR', merchant: { name: 'Shop', categoryCode: '5411', country: 'DE' } };
    const before = await written(payer, card);
    expectCode(await post(kind, right, stranger.token), 404, 'CARD_NOT_FOUND');
    for (const wrong of [
      { amount: '-1' },
      { amount: `${10n ** 15n + 1n}` },
      { currency: 'ZZZ' },
      { merchant: { ...right.merchant, name: 'Shop\u0000' } },
      // Of a refund or a credit, which have happened, an unknown category is left out.
      { merchant: { ...right.merchant, categoryCode: kind === 'payments' ? '0001' : '1' } },
      { merchant: { ...right.merchant, country: 'Germany' } },
    ]) {
      rejected(await post(kind, { ...right, ...wrong }));
    }
    expect(await written(payer, card)).toEqual(before);
  });
});
