import { describe, expect, it } from 'vitest';
import { filterOf, paymentSearchOf } from './payment-search.ts';

describe('a search for payments', () => {
  it('keeps what makes sense of an address', () => {
    const address = { show: 'settled', merchant: ' Book ', category: 5942, from: '2026-11-01', to: '2026-11-30', approve: 'x' };
    const search = { show: 'settled', merchant: 'Book', category: '5942', from: '2026-11-01', to: '2026-11-30' };
    expect(paymentSearchOf(address)).toEqual(search);
  });

  it.each([
    [{ show: 'all' }],
    [{ merchant: '' }],
    [{ merchant: 'x'.repeat(41) }],
    [{ category: '59' }],
    [{ category: 'abcd' }],
    [{ from: '2026-13-01' }],
    [{ from: 'yesterday' }],
    [{ to: '' }],
    [{ to: null }],
  ])('leaves out what makes none: %j', (address) => {
    expect(paymentSearchOf(address)).toEqual({});
  });

  it('covers both of its days, where the reader is', () => {
    const { from = '', to = '' } = filterOf({ from: '2026-02-27', to: '2026-02-28' }, expect.fail);
    expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 1, 27), new Date(2026, 2, 1)]);
  });

  it('has a filter of the interface for each part', () => {
    expect(filterOf({ show: 'pending', merchant: 'Book', category: '4511' }, (code) => `3000-3299,${code}`)).toEqual({
      status: 'pending',
      merchant: 'Book',
      categoryCode: '3000-3299,4511',
    });
    expect(filterOf({}, expect.fail)).toEqual({});
  });
});
