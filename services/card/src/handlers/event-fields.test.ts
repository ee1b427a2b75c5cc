import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { CardMerchantSchema, EntryMode, PaymentAmountSchema, TransactionType } from '@florin/proto/card/v1/payment';
import { AdviseRequestSchema, EventReferenceSchema } from '@florin/proto/card/v1/processor_service';
import { requestJudge } from '@florin/rpc/contract';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { readReport, readRequest } from './event-fields.ts';

const EVENT = {
  eventId: 'event',
  transactionId: '',
  cardId: '01890a5d-ac96-774b-bcce-b302099a8057',
  authorizationCode: '',
  retrievalReference: '',
};
const MERCHANT = { id: 'M-1', name: 'Corner Shop', city: 'Berlin', country: 'DE', categoryCode: '5411' };
const AMOUNT = { amount: '100', currency: 'EUR', decimals: 2, billingAmount: '' };

const reported = (change: { event?: object; merchant?: object; amount?: object; entryMode?: number }) =>
  create(AdviseRequestSchema, {
    event: create(EventReferenceSchema, { ...EVENT, ...change.event } as MessageInitShape<typeof EventReferenceSchema>),
    amount: create(PaymentAmountSchema, { ...AMOUNT, ...change.amount }),
    merchant: create(CardMerchantSchema, { ...MERCHANT, ...change.merchant }),
    entryMode: (change.entryMode ?? EntryMode.CHIP) as EntryMode,
  });

const parse = (change: Parameters<typeof reported>[0]) => {
  const request = reported(change);
  requestJudge(AdviseRequestSchema)(request);
  return readReport(request, quietLogger);
};

describe('a report', () => {
  it.each([
    ['authorizationCode', '12345 ', '12345'],
    ['authorizationCode', '12-456', undefined],
    ['authorizationCode', '      ', undefined],
    ['retrievalReference', ' 000000000007', '000000000007'],
    ['retrievalReference', '1234567890123', undefined],
  ])('with %s %j has %j', (field, text, expected) => {
    const { [field as 'authorizationCode']: found, eventId } = parse({ event: { [field]: text } });
    expect([eventId, found]).toEqual(['event', expected]);
  });

  it.each([
    ['id', 'M\u202e1', undefined],
    ['id', 'x'.repeat(36), undefined],
    ['name', 'Shop\u0007 Nord', 'Shop Nord'],
    ['name', `${'x'.repeat(39)}  yz`, `${'x'.repeat(39)}`],
    ['name', '\u0000\u0001', undefined],
    ['city', 'Ber\nlin', 'Ber lin'],
    ['country', 'DEU', 'DE'],
    ['country', 'de ', 'DE'],
    ['country', '276', undefined],
    ['country', 'Germany', undefined],
    ['categoryCode', '0000', undefined],
    ['categoryCode', '0', undefined],
    ['categoryCode', ' 5411', '5411'],
  ])('with the merchant’s %s %j has %j', (field, text, expected) => {
    const { [field as 'name']: found, ...others } = parse({ merchant: { [field]: text } }).merchant ?? {};
    expect(found).toBe(expected);
    const { [field as 'name']: _, ...unchanged } = MERCHANT;
    expect(others).toEqual(unchanged);
  });

  it('with several malformed fields has the others', () => {
    const parsed = parse({ event: { authorizationCode: '%' }, merchant: { country: '?', categoryCode: '1' }, entryMode: 99 });
    expect(parsed).toEqual({
      eventId: 'event',
      cardId: EVENT.cardId,
      money: { amount: 100n, currency: 'EUR', decimals: 2 },
      merchant: { id: 'M-1', name: 'Corner Shop', city: 'Berlin' },
    });
  });

  it('has what the network says of it, without what is malformed', () => {
    const network = {
      ...{ network: 'visa', transactionId: '300123', acquirerReference: '74027426023123456789012', traceNumber: '123456 ', repeat: true },
      ...{ terminalId: 'T1', acquirerId: '12345678901', posData: '05 1', type: TransactionType.QUASI_CASH, settlementDate: '2026-01-31' },
      ...{ settlementAmount: '100', settlementCurrency: 'EUR', surchargeAmount: '5', wallet: 'apple_pay', riskScore: '42' },
    };
    const said = { ...network, traceNumber: '123456', type: 'quasi_cash' };
    expect(parse({ event: { network } }).network).toEqual(said);
    const wrong = {
      network: 'maestro',
      acquirerReference: '1',
      tokenReference: '4111111111111111',
      type: 99,
      riskScore: 'x',
      localTime: 'noon',
    };
    expect(parse({ event: { network: { ...wrong, wallet: 'apple_pay' } } }).network).toEqual({ wallet: 'apple_pay' });
    expect(parse({ event: { network: wrong } })).not.toHaveProperty('network');
    const request = reported({ event: { network: wrong } });
    const fields = ['network', 'acquirer_reference', 'token_reference', 'type', 'risk_score', 'local_time'];
    for (const field of fields) expect(() => readRequest(request)).toThrow(`event.network.${field}`);
  });

  it('takes any currency', () => {
    const lev = { currency: 'BGN', decimals: 2, billingAmount: '51' };
    expect(parse({ amount: lev }).money).toEqual({ amount: 100n, currency: 'BGN', decimals: 2, billing: 51n });
    expect(parse({ amount: { ...lev, billingAmount: '' } }).money).toEqual({ amount: 100n, currency: 'BGN', decimals: 2 });
  });

  it.each([
    ['event.event_id', { event: { eventId: '' } }],
    ['event.transaction_id', { event: { transactionId: 'a b' } }],
    ['event.card_id', { event: { cardId: 'x' } }],
    ['amount.amount', { amount: { amount: '0' } }],
    ['amount.currency', { amount: { currency: 'EURO', billingAmount: '1' } }],
    ['amount.decimals', { amount: { decimals: 3 } }],
    ['amount.billing_amount', { amount: { billingAmount: '-1' } }],
  ])('without a usable %s is rejected, whatever else is malformed', (_, change) => {
    expect(() => parse({ ...change, merchant: { country: '?' } })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});
