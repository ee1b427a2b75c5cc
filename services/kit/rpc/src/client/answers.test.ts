import { describe, expect, it } from 'vitest';
import { CodedError, ERRORS, type ErrorCode } from '../errors/index.ts';
import { onlyKnownCodes, undefinedOn } from './answers.ts';

const raise = (code: ErrorCode): Promise<never> => Promise.reject(new CodedError(code));
const codes = Object.keys(ERRORS) as ErrorCode[];

describe('results of other services', () => {
  it('pass through unchanged', async () => {
    expect(await onlyKnownCodes(Promise.resolve(7), [])).toBe(7);
    expect(await undefinedOn('NOT_FOUND', Promise.resolve(7))).toBe(7);
  });

  it.each(codes)('%s passes when it is listed or means unavailable, and becomes INTERNAL_ERROR otherwise', async (code) => {
    await expect(onlyKnownCodes(raise(code), [code])).rejects.toMatchObject({ code });
    const passes = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'].includes(code);
    await expect(onlyKnownCodes(raise(code), [])).rejects.toMatchObject({ code: passes ? code : 'INTERNAL_ERROR' });
  });

  it('turn an error without a code into INTERNAL_ERROR', async () => {
    const cause = new TypeError('x is not a function');
    await expect(onlyKnownCodes(Promise.reject(cause), codes)).rejects.toMatchObject({ code: 'INTERNAL_ERROR', cause });
  });

  it('turn one expected code into undefined, and no other', async () => {
    expect(await undefinedOn('CARD_NOT_FOUND', raise('CARD_NOT_FOUND'))).toBeUndefined();
    await expect(undefinedOn('CARD_NOT_FOUND', raise('USER_NOT_FOUND'))).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(undefinedOn('CARD_NOT_FOUND', Promise.reject(new Error('x')))).rejects.toThrow('x');
  });
});
