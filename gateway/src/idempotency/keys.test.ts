import { CodedError } from '@florin/rpc/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKeys, readIdempotencyKey } from './keys.ts';

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
});
