import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFieldCipher, FieldError, type FieldPlace } from './index.ts';

const key = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const OLD = key('1');
const NEW = key('2');
const HASH_KEY = new Uint8Array(randomBytes(32));
const PLACE: FieldPlace = { collection: 'users', id: 'u-1', field: 'email' };

const cipher = createFieldCipher([NEW, OLD], HASH_KEY);
const before = createFieldCipher([OLD], HASH_KEY);
const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const name = fc.string({ minLength: 1, maxLength: 20 });
const place = fc.record({ collection: name, id: name, field: name });

describe('field cipher', () => {
  it('decrypts what it encrypted, in its place only', () => {
    fc.assert(
      fc.property(text, place, place, (plain, where, other) => {
        const stored = cipher.encrypt(plain, where);
        expect(cipher.decrypt(stored, where)).toBe(plain);
        if (JSON.stringify([where.collection, where.id, where.field]) === JSON.stringify([other.collection, other.id, other.field])) return;
        expect(() => cipher.decrypt(stored, other)).toThrow(FieldError);
      }),
    );
  });

  it('rejects a value with any changed character', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom(...'Aa0_-.~ '), (plain, at, character) => {
        const stored = cipher.encrypt(plain, PLACE);
        const index = at % stored.length;
        fc.pre(stored[index] !== character);
        const changed = `${stored.slice(0, index)}${character}${stored.slice(index + 1)}`;
        expect(() => cipher.decrypt(changed, PLACE)).toThrow(FieldError);
      }),
    );
  });

  it.each(['', 'person@example.org', 'f1', 'f1.2.', 'f1.2.AAAA', 'f1.9.AAAA', 'f0.2.AAAA', `f1.2.${'A'.repeat(200)}`])(
    'rejects %j',
    (stored) => {
      expect(() => cipher.decrypt(stored, PLACE)).toThrow(FieldError);
    },
  );

  it('gives two values for one text, neither of which contains it', () => {
    const [one, two] = [cipher.encrypt('person@example.org', PLACE), cipher.encrypt('person@example.org', PLACE)];
    expect(one).not.toBe(two);
    expect(one).not.toContain('person');
  });

  it('reads values of an older key, and encrypts with the first one', () => {
    const stored = before.encrypt('person@example.org', PLACE);
    expect(cipher.decrypt(stored, PLACE)).toBe('person@example.org');
    expect([cipher.isCurrent(stored), cipher.isCurrent(cipher.encrypt('x', PLACE))]).toEqual([false, true]);
    expect(() => before.decrypt(cipher.encrypt('x', PLACE), PLACE)).toThrow(FieldError);
  });

  it('rejects a value whose key id was exchanged', () => {
    const twin = createFieldCipher([{ id: '1', key: NEW.key }], HASH_KEY);
    expect(() => twin.decrypt(cipher.encrypt('x', PLACE).replace('f1.2.', 'f1.1.'), PLACE)).toThrow(FieldError);
  });

  it('hashes equal texts of one kind alike, with any field keys, and depends on kind and hash key', () => {
    const hash = cipher.hash('email', 'a@b.org');
    expect(before.hash('email', 'a@b.org')).toBe(hash);
    expect(hash).toMatch(/^[\w-]{43}$/);
    const others = [
      cipher.hash('phone', 'a@b.org'),
      cipher.hash('email', 'a@b.orh'),
      createFieldCipher([NEW], new Uint8Array(randomBytes(32))).hash('email', 'a@b.org'),
    ];
    expect(others).not.toContain(hash);
  });
});
