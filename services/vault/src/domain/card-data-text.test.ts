import { describe, expect, it } from 'vitest';
import { CARD_DATA_ACTIONS, cardDataText } from './card-data-text.ts';

const facts = {
  action: 'view_details' as const,
  cardId: '01890a5d-ac96-774b-bcce-b302099a8057',
  last4: '4242',
  thumbprint: 'a'.repeat(43),
  vaultKey: 'b'.repeat(43),
  expiresAt: new Date('2026-01-01T00:05:00.000Z'),
};

describe('card data text', () => {
  it('lists every fact of the challenge, one per line', () => {
    expect(cardDataText(facts).split('\n')).toEqual([
      'SHOW the number and security code of this card',
      'Card: **** 4242',
      'Card ID: 01890a5d-ac96-774b-bcce-b302099a8057',
      `App key: ${'a'.repeat(43)}`,
      'Expires: 2026-01-01T00:05:00.000Z',
    ]);
  });

  it('names the key of the vault for a new PIN only', () => {
    expect(cardDataText({ ...facts, action: 'set_pin' })).toContain(`\nVault key: ${facts.vaultKey}\n`);
    expect(cardDataText({ ...facts, action: 'view_pin' })).not.toContain('Vault key');
  });

  it('differs when any fact differs', () => {
    const variants = [
      { cardId: '01890a5d-ac96-774b-bcce-b302099a8058' },
      { last4: '4243' },
      { thumbprint: 'c'.repeat(43) },
      { expiresAt: new Date('2026-01-01T00:05:00.001Z') },
    ];
    const texts = [facts, ...variants.map((change) => ({ ...facts, ...change }))].flatMap((one) =>
      CARD_DATA_ACTIONS.map((action) => cardDataText({ ...one, action })),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});
