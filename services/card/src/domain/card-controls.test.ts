import { describe, expect, it } from 'vitest';
import { type CardControls, controlDecline } from './card-controls.ts';

const merchant = { id: 'shop-1', displayName: 'Shop', categoryCode: '5942', country: 'DE' };
const payment = (more: Partial<Parameters<typeof controlDecline>[1]> = {}) => ({
  merchant,
  entryMode: 'chip' as const,
  atm: false,
  ...more,
});

describe('controls', () => {
  it('permit everything when they are empty', () => {
    expect(controlDecline({}, payment())).toBeUndefined();
    expect(controlDecline({ categories: {}, countries: { allow: [] }, merchants: { deny: [] } }, payment())).toBeUndefined();
    expect(controlDecline({}, { atm: true })).toBeUndefined();
  });

  it.each<[CardControls, string | undefined]>([
    [{ categories: { deny: ['5942'] } }, 'category_blocked'],
    [{ categories: { deny: ['7995'] } }, undefined],
    [{ categories: { allow: ['5411'] } }, 'category_blocked'],
    [{ categories: { allow: ['5942'], deny: ['5942'] } }, 'category_blocked'],
    [{ countries: { allow: ['DE', 'AT'] } }, undefined],
    [{ countries: { deny: ['DE'] } }, 'country_blocked'],
    [{ merchants: { deny: ['shop-1'] } }, 'merchant_blocked'],
    [{ merchants: { allow: ['shop-2'] } }, 'merchant_blocked'],
    // The first of several reasons in the documented order.
    [{ merchants: { deny: ['shop-1'] }, countries: { deny: ['DE'] }, categories: { deny: ['5942'] } }, 'category_blocked'],
  ])('%o decide on a purchase in a shop: %s', (controls, expected) => {
    expect(controlDecline(controls, payment())).toBe(expected);
  });

  it('let an unknown merchant pass a list of denied values, not one of allowed values', () => {
    expect(controlDecline({ countries: { deny: ['DE'] } }, payment({ merchant: undefined }))).toBeUndefined();
    expect(controlDecline({ countries: { allow: ['DE'] } }, payment({ merchant: undefined }))).toBe('country_blocked');
  });

  it.each([
    ['ecommerce', { onlineOff: true }, 'channel_blocked'],
    ['merchant_initiated', { onlineOff: true }, 'channel_blocked'],
    ['manual', { onlineOff: true }, 'channel_blocked'],
    ['chip', { onlineOff: true }, undefined],
    ['contactless', { contactlessOff: true }, 'channel_blocked'],
    ['contactless', { onlineOff: true, atmOff: true }, undefined],
    ['chip', { contactlessOff: true, atmOff: true }, undefined],
  ] as const)('for payments by %s with %o: %s', (entryMode, controls, expected) => {
    expect(controlDecline(controls, payment({ entryMode }))).toBe(expected);
  });

  it('for cash at a machine apply however the card was read', () => {
    for (const entryMode of ['chip', 'contactless'] as const) {
      expect(controlDecline({ atmOff: true }, payment({ entryMode, atm: true }))).toBe('channel_blocked');
      expect(controlDecline({ onlineOff: true }, payment({ entryMode, atm: true }))).toBeUndefined();
    }
  });
});
