import { describe, expect, it } from 'vitest';
import { parseTokenRequest } from './token-request.ts';

describe('the request for a token', () => {
  it('takes scopes one by one or in a list', () => {
    expect(parseTokenRequest({ service: 'ledger', scope: ['ledger.accounts.read', 'ledger.accounts.write, ledger.journal.read'] })).toEqual(
      {
        service: 'ledger',
        scopes: ['ledger.accounts.read', 'ledger.accounts.write', 'ledger.journal.read'],
        expiresInSeconds: 300,
        dataDir: undefined,
      },
    );
  });

  const good = { service: 'threeds', scope: ['threeds.challenges.write'] };

  it.each([
    { values: { ...good, service: undefined }, says: /^--service must be one of/ },
    { values: { ...good, service: 'gateway' }, says: /^--service must be one of/ },
    { values: { service: 'threeds' }, says: /^--scope is missing/ },
    { values: { ...good, scope: ['everything'] }, says: /^The operator may not ask for everything/ },
    { values: { ...good, 'expires-in': '301' }, says: /^--expires-in must be/ },
    { values: { ...good, 'expires-in': '0' }, says: /^--expires-in must be/ },
    { values: { ...good, 'expires-in': 'soon' }, says: /^--expires-in must be/ },
  ])('is refused: $says', ({ values, says }) => {
    expect(() => parseTokenRequest(values)).toThrow(says);
  });
});
