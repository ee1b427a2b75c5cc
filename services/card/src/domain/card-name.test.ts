import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardNameOf } from './card-name.ts';

describe('card name', () => {
  it.each([
    ['Everyday', 'Everyday'],
    ['  Groceries & more!  ', 'Groceries & more!'],
    ['x', 'x'],
    ['a'.repeat(26), 'a'.repeat(26)],
    ['Ünïcödé – 東京', 'Ünïcödé – 東京'],
    // Decomposed: 27 code points before composition, 26 after.
    [`${'a'.repeat(25)}e\u0301`, `${'a'.repeat(25)}é`],
    ['✈ 100 €', '✈ 100 €'],
  ])('accepts %j', (text, name) => {
    expect(cardNameOf(text)).toBe(name);
  });

  it.each([
    ['empty', ''],
    ['made of spaces only', '   '],
    ['too long', 'a'.repeat(27)],
    ['broken by a line feed', 'a\nb'],
    ['broken by NUL', 'a\u0000b'],
    ['styled by an escape sequence', '\u001b[31mred'],
    ['reordered by a direction override', 'a\u202Eb'],
    ['split by a zero-width space', 'a\u200Bb'],
    ['joined by a zero-width joiner', 'a\u200Db'],
    ['split by a no-break space', 'a\u00A0b'],
    ['split by a line separator', 'a\u2028b'],
    ['a filler classed as a letter', '\u3164'],
    ['a mark without a base', '\u0301'],
    ['in a private use area', '\uE000'],
    ['cut inside a surrogate pair', 'a\uD800'],
  ])('rejects a name that is %s', (_what, text) => {
    expect(cardNameOf(text)).toBeUndefined();
  });

  it('never contains a control or format character, and parsing is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const name = cardNameOf(text);
        if (name === undefined) return;
        expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect([...name].length).toBeLessThanOrEqual(26);
        expect(cardNameOf(name)).toBe(name);
      }),
      { numRuns: scaled(2000) },
    );
  });
});
