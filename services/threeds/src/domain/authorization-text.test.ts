import { describe, expect, it } from 'vitest';
import { authorizationText } from './authorization-text.ts';
import type { Challenge } from './challenge.ts';

const challenge = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  amount: '123405',
  currency: 'EUR',
  decimals: 2,
  last4: '4242',
  merchant: { displayName: 'Corner Shop', id: 'M-1', country: 'DE' },
  expiresAt: new Date('2026-01-01T00:05:00.000Z'),
} as unknown as Challenge;

describe('authorization text', () => {
  it('lists every fact of the decision, one per line', () => {
    expect(authorizationText(challenge, 'approve').split('\n')).toEqual([
      'APPROVE this card payment',
      'Amount: 1234.05 EUR',
      'Card: **** 4242',
      'Merchant: Corner Shop (DE)',
      'Merchant ID: M-1',
      'Challenge: 01890a5d-ac96-774b-bcce-b302099a8057',
      'Expires: 2026-01-01T00:05:00.000Z',
    ]);
    expect(authorizationText(challenge, 'decline')).toMatch(/^DECLINE this card payment\n/);
    const quoted = authorizationText(challenge, 'approve', { quoted: true });
    expect(quoted).toBe(authorizationText(challenge, 'approve').replace('Corner Shop', '"Corner Shop"'));
    const nameless = { ...challenge, merchant: {} };
    expect(authorizationText(nameless, 'approve', { quoted: true })).toContain('\nMerchant: not named\n');
  });

  it('says that there is no payment', () => {
    const lines = authorizationText({ ...challenge, amount: '', currency: '', decimals: 0 }, 'approve').split('\n');
    expect(lines.slice(0, 3)).toEqual(['APPROVE this use of the card', 'Amount: none', 'Card: **** 4242']);
  });

  it.each([
    [{}, ['Merchant: not named']],
    [{ id: 'M-1' }, ['Merchant: not named', 'Merchant ID: M-1']],
    [{ displayName: 'M-1' }, ['Merchant: M-1']],
    [{ country: 'DE' }, ['Merchant: not named (DE)']],
    [{ displayName: 'Shop', id: 'M-1' }, ['Merchant: Shop', 'Merchant ID: M-1']],
  ])('names the merchant %j by %j', (merchant, lines) => {
    const text = authorizationText({ ...challenge, merchant }, 'approve').split('\n');
    expect(text.filter((line) => line.startsWith('Merchant'))).toEqual(lines);
  });

  it.each([
    ['1', 2, '0.01 EUR'],
    ['1', 0, '1 EUR'],
    ['12345', 4, '1.2345 EUR'],
    ['9'.repeat(30), 2, `${'9'.repeat(28)}.99 EUR`],
  ])('shows %s with %i decimals as %s', (amount, decimals, shown) => {
    expect(authorizationText({ ...challenge, amount, decimals }, 'approve')).toContain(`Amount: ${shown}\n`);
  });

  it('differs when amount, currency, card, challenge, expiry, merchant or decision differs', () => {
    const variants = [
      { amount: '123406' },
      { decimals: 3 },
      { currency: 'GBP' },
      { last4: '4243' },
      { id: '01890a5d-ac96-774b-bcce-b302099a8058' },
      { expiresAt: new Date('2026-01-01T00:05:00.001Z') },
      { merchant: { displayName: 'Corner Shop', country: 'FR' } },
      { merchant: { displayName: 'Corner Shop', id: 'M-2', country: 'DE' } },
    ];
    const texts = [challenge, ...variants.map((change) => ({ ...challenge, ...change }))].flatMap((one) => [
      authorizationText(one, 'approve'),
      authorizationText(one, 'decline'),
    ]);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
