import { describe, expect, it } from 'vitest';
import { cardVerificationValue, securityCode } from './security-code.ts';

const KEY = Buffer.from('0123456789abcdeffedcba9876543210', 'hex');

describe('card verification values', () => {
  // The test vector that HSM vendors publish for the algorithm.
  it('agree with the published test vector', () => {
    expect(cardVerificationValue(KEY, '4123456789012345', '8701', '101')).toBe('561');
  });

  it('have three digits and depend on number, expiry, service code and key', () => {
    const of = (pan: string, expiry: string, serviceCode: string, key: Uint8Array = KEY) =>
      cardVerificationValue(key, pan, expiry, serviceCode);
    const codes = Array.from({ length: 50 }, (_, index) => of('4123456789012345', String(3001 + index), '000'));
    for (const code of codes) expect(code).toMatch(/^\d{3}$/);
    expect(new Set(codes).size).toBeGreaterThan(30);
    const other = Buffer.from(KEY).fill(7, 8);
    const variants = [of('4123456789012345', '3012', '000'), of('4123456789012346', '3012', '000'), of('4123456789012345', '3012', '101')];
    expect(new Set([...variants, of('4123456789012345', '3012', '000', other)]).size).toBe(4);
  });

  it('of the printed code use the service code 000', () => {
    expect(securityCode(KEY, '4123456789012345', { expMonth: 3, expYear: 2031 })).toBe(
      cardVerificationValue(KEY, '4123456789012345', '3103', '000'),
    );
  });
});
