import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKey, keyedHash } from '../crypto/derive-key.ts';
import { createRefreshTokens, parseRefreshToken } from './refresh-tokens.ts';

const master = new Uint8Array(32).fill(7);
const session = { id: '01890a5d-ac96-774b-bcce-b302099a8057', salt: 'salt' };

describe('refresh tokens', () => {
  const { tokenOf, isGenuine } = createRefreshTokens([deriveKey(master, 'refresh-tokens')]);

  it('are the same for the same generation, and genuine only for it', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.nat(999_999_999), (generation, other) => {
        const presented = parseRefreshToken(tokenOf(session, generation));
        expect(presented).toMatchObject({ sessionId: session.id, generation });
        if (presented === undefined) return;
        expect(isGenuine(session, presented)).toBe(true);
        expect(isGenuine(session, { ...presented, generation: other })).toBe(other === generation);
        expect(isGenuine({ ...session, salt: 'other' }, presented)).toBe(false);
      }),
    );
  });

  it.each([
    '',
    '.',
    `${session.id}.0`,
    `${session.id}.00.${'a'.repeat(43)}`,
    `${session.id}.-1.${'a'.repeat(43)}`,
    `${session.id}.0.${'a'.repeat(44)}`,
  ])('rejects %j', (text) => {
    expect(parseRefreshToken(text)).toBeUndefined();
  });
});

describe('derived keys', () => {
  it('differ by purpose and by master key', () => {
    const keys = [deriveKey(master, 'a'), deriveKey(master, 'b'), deriveKey(new Uint8Array(32), 'a')].map((key) =>
      Buffer.from(key).toString('hex'),
    );
    expect(new Set(keys).size).toBe(3);
    expect(keyedHash(master, ['ab', 'c'])).not.toBe(keyedHash(master, ['a', 'bc']));
  });
});
