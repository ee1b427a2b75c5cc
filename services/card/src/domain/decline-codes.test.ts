import { describe, expect, it } from 'vitest';
import { CODED_NETWORKS, DECLINE_CODES, type DeclineCode, declineResponseCode } from './decline-codes.ts';

const CODES = Object.keys(DECLINE_CODES) as DeclineCode[];

describe('the response codes of declines', () => {
  it("of a card are its network's: what asks for an authentication, and wrong secrets", () => {
    const codes = (network: string) =>
      (['authentication_required', 'count_limit_exceeded', 'security_code_incorrect', 'cryptogram_incorrect'] as const).map((code) =>
        declineResponseCode(code, network),
      );
    expect(codes('visa')).toEqual(['1A', '65', 'N7', 'Q1']);
    expect(codes('mastercard')).toEqual(['65', '61', '05', '88']);
    expect(codes('other')).toEqual(['05', '65', '63', '63']);
  });

  it('with letters are those of Visa alone, and 65 of Mastercard always asks for an authentication', () => {
    for (const network of ['mastercard', 'other', ''])
      for (const code of CODES) expect(declineResponseCode(code, network)).toMatch(/^[0-9]{2}$/);
    expect(CODES.filter((code) => declineResponseCode(code, 'mastercard') === '65')).toEqual([
      ...['authentication_required', 'contactless_limit_exceeded', 'authentication_invalid'],
    ]);
    expect(CODED_NETWORKS).toEqual(['visa', 'mastercard']);
  });
});
