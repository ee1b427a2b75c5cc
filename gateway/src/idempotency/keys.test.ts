import { randomBytes } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKeys, readIdempotencyKey } from './keys.ts';
import { seal, unseal } from './seal.ts';

const scope = { subject: 'user:1', operationId: 'op' };

describe('idempotency keys', () => {
  it('accepts 1 to 255 printable ASCII characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 300, size: 'max' }), (text) => {
        const fine = text.length <= 255 && [...text].every((char) => char >= ' ' && char <= '~');
        const read = (): unknown => {
          try {
            return readIdempotencyKey(text);
          } catch (error) {
            return error instanceof CodedError && error.code === 'VALIDATION_FAILED';
          }
        };
        return read() === (fine ? text : true);
      }),
    );
    expect(readIdempotencyKey(undefined)).toBeUndefined();
  });

  it('derives equal results from equal input and different results from different input', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.string(), fc.string()), fc.tuple(fc.string(), fc.string(), fc.string()), (a, b) => {
        const [one, other] = [a, b].map(([key, subject, operationId]) => deriveKeys(key, { subject, operationId }));
        const same = a.every((part, index) => part === b[index]);
        for (const part of ['recordName', 'requestKey'] as const) expect(one?.[part] === other?.[part]).toBe(same);
        expect(one?.sealKey.equals(other?.sealKey ?? Buffer.alloc(0))).toBe(same);
        expect(deriveKeys(a[0], { subject: a[1], operationId: a[2] })).toEqual(one);
      }),
    );
  });

  it('opens sealed text, and rejects modified text', () => {
    const { sealKey } = deriveKeys('key', scope);
    const sealed = seal(sealKey, 'text \u{1f512}', randomBytes);
    expect(unseal(sealKey, sealed)).toBe('text \u{1f512}');
    expect(() => unseal(deriveKeys('other', scope).sealKey, sealed)).toThrow();
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const touched = Buffer.from(bytes);
      touched[index] = (touched[index] ?? 0) ^ 1;
      expect(() => unseal(sealKey, touched.toString('base64url'))).toThrow();
    }
  });
});
