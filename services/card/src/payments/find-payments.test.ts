import { describe, expect, it } from 'vitest';
import type { Card } from '../domain/card.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import { findFollowed, findPayments } from './find-payments.ts';

const AT = new Date('2026-01-31T12:00:00Z');
const MERCHANT = { id: 'M-1', name: 'Corner Shop' } as NonNullable<Payment['merchant']>;
const PAYMENT: Payment = {
  ...newPayment({
    ...{ id: 'payment', processor: 'first', cardId: 'card', accountId: 'account', userId: 'user', kind: 'payment', createdAt: AT },
    merchant: MERCHANT,
  }),
  events: [{ id: 'event', type: 'authorization', at: AT, amount: 900n, currency: 'EUR' }],
  holdId: 'hold',
  held: 900n,
  authorizationCode: '123456',
  networkTransactionId: 'T-1',
};
const CARD = { id: 'card', userId: 'user', accountId: 'account' } as Card;
const storesOf = (...stored: Payment[]) => {
  const findByTransaction = async (_account: string, id: string) =>
    stored.filter((one) => one.networkTransactionId === id || one.otherIds?.includes(id));
  return {
    payments: { findRecent: async () => stored, findByNetworkReference: async () => stored, findByTransaction },
    cards: { findSeries: async () => [CARD.id] },
  };
};

const MONEY = { amount: 900n, currency: 'EUR', decimals: 2 };
/** The only one, if there is only one. */
const onlyOneOf = (found: readonly Payment[]): string | undefined => (found.length === 1 ? found[0]?.id : undefined);
const find = async (processor: string, more: object, stored: Payment[] = [PAYMENT]) => {
  const input = { processor, eventId: 'other', type: 'clearing' as const, cardId: 'card', ...more };
  return onlyOneOf(await findPayments(storesOf(...stored), input, CARD, AT));
};
/** The payments that an event with a transaction id of its own may belong to. */
const follow = async (more: object, stored: Payment[]) => {
  const input = { processor: 'first', eventId: 'other', type: 'clearing' as const, cardId: 'card', transactionId: 'T3', ...more };
  return (await findFollowed(storesOf(...stored), input, CARD)).map(({ id }) => id);
};

describe.each([
  ['authorization code', { authorizationCode: '123456' }],
  ["the network's id of the transaction", { network: { transactionId: 'T-1' } }],
  ["the network's id of the transaction that it follows from", { network: { transactionId: 'T-2', originalTransactionId: 'T-1' } }],
  ['merchant and amount', { merchant: MERCHANT, money: MONEY }],
])('an event without a transaction id', (what, more) => {
  it(`is matched by ${what}`, async () => {
    expect(await find('first', more)).toBe('payment');
  });

  it(`is not matched by ${what} when another processor reports it`, async () => {
    expect(await find('second', more)).toBeUndefined();
  });
});

describe('references of the network', () => {
  const known = { ...PAYMENT, retrievalReference: '000000000007' };
  it.each<[string, object, string | undefined]>([
    ['the same code', { authorizationCode: '123456' }, 'payment'],
    ['the same code and reference', { authorizationCode: '123456', retrievalReference: '000000000007' }, 'payment'],
    ['the same code and another reference', { authorizationCode: '123456', retrievalReference: '000000000008' }, undefined],
    ['another code and the same reference', { authorizationCode: '654321', retrievalReference: '000000000007' }, undefined],
    ['the same reference', { retrievalReference: '000000000007' }, 'payment'],
    ['another reference', { retrievalReference: '000000000008' }, undefined],
  ])('with %s', async (_, more, expected) => {
    expect(await find('first', more, [known])).toBe(expected);
  });

  it('match a payment that has no retrieval reference by its code', async () => {
    expect(await find('first', { authorizationCode: '123456', retrievalReference: '000000000008' })).toBe('payment');
  });
});

describe('a reference that several payments have', () => {
  const reference = { retrievalReference: '000000000007' };
  const purchase = { ...PAYMENT, ...reference, held: 0n, cleared: 900n, ended: 'cleared' as const };
  const refund = { ...newPayment({ ...PAYMENT, ...reference, id: 'refund', kind: 'refund' }), refunded: 400n };

  it.each(['refund', 'refund_reversal'])(
    'leads a %s with a transaction id of its own to the purchase, not to an earlier refund',
    async (type) => {
      expect(await find('first', { ...reference, type, transactionId: 'T3' }, [refund, purchase])).toBe('payment');
      expect(await find('first', { ...reference, type, transactionId: 'T3' }, [refund])).toBeUndefined();
    },
  );

  it('leads an event without a transaction id to a refund that has no purchase here', async () => {
    expect(await find('first', { ...reference, type: 'refund_reversal' }, [refund])).toBe('refund');
  });

  it('leads a clearing to the approved authorization, not to a later one that was declined', async () => {
    const decline = { ...newPayment({ ...PAYMENT, ...reference, id: 'declined' }) };
    expect(await find('first', reference, [decline, { ...PAYMENT, ...reference }])).toBe('payment');
  });
});

describe('a clearing with a transaction id of its own', () => {
  const code = { authorizationCode: '123456' };
  const expired = { ...PAYMENT, id: 'expired', held: 0n, ended: 'expired' as const };
  const atOnce: Payment = {
    ...{ ...PAYMENT, id: 'at once', held: 0n, cleared: 900n, ended: 'cleared' },
    events: [
      {
        id: 'event',
        type: 'authorization',
        at: AT,
        singleMessage: true,
        decision: { billing: 900n, amount: 900n, held: 900n },
        billing: 900n,
      },
    ],
  };
  const presented: Payment = { ...atOnce, events: [...atOnce.events, { id: 'c', type: 'clearing', at: AT, billing: 900n }] };

  it.each([
    ['the open one, if there is one', [expired, atOnce, PAYMENT], ['payment']],
    ['else the one that was booked with its authorization', [expired, atOnce, presented], ['at once']],
    ['else the one that has expired', [presented, expired], ['expired']],
    ['else none', [presented], []],
    ['one of several', [PAYMENT, { ...PAYMENT, id: 'other' }], ['payment', 'other']],
    ['one of several, whatever fits less well', [PAYMENT, { ...PAYMENT, id: 'other' }, atOnce, expired], ['payment', 'other']],
    ['one of several that were booked with their authorizations', [atOnce, { ...atOnce, id: 'other' }, expired], ['at once', 'other']],
  ] satisfies [string, Payment[], string[]][])('belongs to %s', async (_, stored, expected) => {
    expect(await follow(code, stored)).toEqual(expected);
    expect(await follow({ network: { transactionId: 'T-1' } }, stored)).toEqual(expected);
  });

  it('belongs to no earlier payment that its own follows from, unless that is open', async () => {
    const following = { network: { transactionId: 'T-2', originalTransactionId: 'T-1' } };
    expect(await follow(following, [expired, atOnce])).toEqual([]);
    expect(await follow(following, [PAYMENT])).toEqual(['payment']);
    const own = { ...PAYMENT, id: 'own', networkTransactionId: 'T-2' };
    expect(await follow(following, [PAYMENT, own])).toEqual(['own']);
    expect(await follow(following, [PAYMENT, { ...expired, networkTransactionId: 'T-2' }])).toEqual(['expired']);
  });

  it.each(['reversal', 'advice', 'expiry'])('and so does a %s, which never concerns an earlier payment', async (type) => {
    const following = { type, network: { transactionId: 'T-2', originalTransactionId: 'T-1' } };
    expect(await follow(following, [PAYMENT])).toEqual([]);
    expect(await follow(following, [PAYMENT, { ...PAYMENT, id: 'own', networkTransactionId: 'T-2' }])).toEqual(['own']);
  });
});

describe('an id of the transaction that only a later event had', () => {
  const cleared = { ...PAYMENT, held: 0n, cleared: 900n, ended: 'cleared' as const, otherIds: ['T3', 'T-3'] };
  const types = ['refund', 'refund_reversal', 'reversal', 'advice', 'expiry', 'clearing', 'force_post', 'correction_credit', 'increment'];

  it.each(types)('leads a %s to the payment, by the processor and by the network', async (type) => {
    expect(await follow({ type }, [cleared])).toEqual(['payment']);
    expect(await follow({ type, transactionId: 'another' }, [cleared])).toEqual([]);
    expect(await follow({ type, processor: 'second' }, [cleared])).toEqual([]);
  });

  it('leads what the network calls so to the payment', async () => {
    const network = { network: { transactionId: 'T-3' } };
    for (const type of ['reversal', 'advice'])
      expect(await follow({ type, transactionId: 'T4', ...network }, [cleared])).toEqual(['payment']);
    expect(await find('first', { type: 'refund', transactionId: 'T4', ...network }, [cleared])).toBe('payment');
    const following = { network: { transactionId: 'T-4', originalTransactionId: 'T-3' } };
    expect(await find('first', { type: 'refund', transactionId: 'T4', ...following }, [cleared])).toBe('payment');
  });

  it('is no reason for a request to join it that begins a payment, nor for the reversal of a request', async () => {
    for (const type of ['authorization', 'verification', 'balance_inquiry', 'credit_request'])
      expect(await follow({ type }, [cleared])).toEqual([]);
    expect(await follow({ type: 'reversal', undoneRequestId: 'request' }, [cleared])).toEqual([]);
  });
});

describe('an increment with a transaction id of its own', () => {
  const increment = (more: object, stored: Payment[]) => follow({ type: 'increment', ...more }, stored);
  const names = [
    { network: { transactionId: 'T-1' } },
    { network: { transactionId: 'T-2', originalTransactionId: 'T-1' } },
    { authorizationCode: '123456' },
  ];

  it.each(names)('belongs to the open payment that it names, %j', async (name) => {
    expect(await increment(name, [{ ...PAYMENT, id: 'over', ended: 'cleared' }, PAYMENT])).toEqual(['payment']);
    expect(await increment(name, [{ ...PAYMENT, ended: 'expired' }])).toEqual([]);
    expect(await increment(name, [PAYMENT, { ...PAYMENT, id: 'other' }])).toEqual(['payment', 'other']);
  });
});

describe.each([
  ['a transaction id of its own', { transactionId: 'T3' }],
  ['no transaction id', {}],
])('a second presentment with %s', (_, own) => {
  const input = { processor: 'first', eventId: 'other', type: 'second_presentment' as const, cardId: 'card', ...own };
  const disputed: Payment = {
    ...{ ...PAYMENT, id: 'disputed', held: 0n, cleared: 900n, ended: 'cleared' },
    dispute: { id: 'd', reason: 'fraud', amount: 900n, provisionalCredit: 0n, credited: 0n, status: 'submitted', steps: 1 },
  };

  it.each([
    ['the disputed one, though another is open', [PAYMENT, disputed], ['disputed']],
    ['one of several that are disputed', [disputed, { ...disputed, id: 'other' }], ['disputed', 'other']],
  ] satisfies [string, Payment[], string[]][])('belongs to %s', async (_name, stored, expected) => {
    for (const names of [{ authorizationCode: '123456' }, { network: { transactionId: 'T-1' } }]) {
      const parts = storesOf(...stored);
      const found =
        'transactionId' in own ? findFollowed(parts, { ...input, ...names }, CARD) : findPayments(parts, { ...input, ...names }, CARD, AT);
      expect((await found).map(({ id }) => id)).toEqual(expected);
    }
  });
});

describe('a clearing without a transaction id', () => {
  const other = { ...PAYMENT, id: 'other' };
  const over = { ...PAYMENT, id: 'over', held: 0n, ended: 'expired' as const };

  it('belongs to none of several open payments that it names', async () => {
    for (const names of [{ authorizationCode: '123456' }, { network: { transactionId: 'T-1' } }]) {
      const clearing = { ...names, merchant: MERCHANT, money: MONEY };
      expect(await find('first', clearing, [over, PAYMENT, other])).toBeUndefined();
      expect(await find('first', clearing, [over, PAYMENT])).toBe('payment');
      expect(await find('first', clearing, [over])).toBe('over');
    }
  });
});

describe('a presentment without a transaction id', () => {
  const cleared = { ...PAYMENT, held: 0n, cleared: 900n, ended: 'cleared' as const };
  const other = { ...cleared, id: 'other' };
  const decision = { decline: 'pin_incorrect' as const, billing: 0n, amount: 0n, held: 0n };
  const declined = {
    ...newPayment({ ...PAYMENT, id: 'declined' }),
    ...{ authorizationCode: '123456', networkTransactionId: 'T-1' },
    events: [{ id: 'event', type: 'authorization' as const, at: AT, decision }],
  };

  it.each(['clearing', 'second_presentment'])('belongs to none of several cleared payments that a %s names', async (type) => {
    for (const names of [{ authorizationCode: '123456' }, { network: { transactionId: 'T-1' } }]) {
      const presentment = { type, ...names, merchant: MERCHANT, money: MONEY };
      expect(await find('first', presentment, [cleared, other])).toBeUndefined();
      expect(await find('first', presentment, [declined, cleared])).toBe('payment');
    }
  });
});

describe('a refund that is matched by merchant and amount', () => {
  const refund = { type: 'refund', merchant: MERCHANT, money: MONEY };
  const cleared = { ...PAYMENT, held: 0n, cleared: 900n, ended: 'cleared' as const };

  it('wants a payment with something that was not refunded, under any transaction id', async () => {
    expect(await find('first', refund, [cleared])).toBe('payment');
    expect(await find('first', refund, [{ ...cleared, refunded: 900n }])).toBeUndefined();
    expect(await find('first', refund, [{ ...cleared, refundedElsewhere: 900n }])).toBeUndefined();
  });

  it('takes one that is not cleared yet, where none is', async () => {
    expect(await find('first', refund, [PAYMENT, { ...cleared, id: 'cleared' }])).toBe('cleared');
    expect(await find('first', refund, [PAYMENT])).toBe('payment');
    expect(await find('first', refund, [{ ...PAYMENT, refundedElsewhere: 900n }])).toBeUndefined();
  });
});
