import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardNameSchema } from './card-name.ts';

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
    expect(cardNameSchema.parse(text)).toBe(name);
  });

  it.each([
    ['empty', ''],
    ['spaces only', '   '],
    ['too long', 'a'.repeat(27)],
    ['line break inside', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['escape', '\u001b[31mred'],
    ['direction override', 'a\u202Eb'],
    ['zero-width space', 'a\u200Bb'],
    ['zero-width joiner', 'a\u200Db'],
    ['no-break space inside', 'a\u00A0b'],
    ['line separator inside', 'a\u2028b'],
    ['a filler that counts as a letter', '\u3164'],
    ['a mark on nothing', '\u0301'],
    ['private use', '\uE000'],
    ['half a surrogate pair', 'a\uD800'],
  ])('refuses %s', (_what, text) => {
    expect(cardNameSchema.safeParse(text).success).toBe(false);
  });

  it('never lets a control or format character through, and changes nothing when parsed again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const parsed = cardNameSchema.safeParse(text);
        if (!parsed.success) return;
        expect(parsed.data).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect([...parsed.data].length).toBeLessThanOrEqual(26);
        expect(cardNameSchema.parse(parsed.data)).toBe(parsed.data);
      }),
      { numRuns: 2000 },
    );
  });
});
