import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { describe, expect, it } from 'vitest';
import { parseTokenRequest } from './token-request.ts';

describe('the request for a token', () => {
  it('accepts scopes as separate options or as a list', () => {
    expect(
      parseTokenRequest({ service: 'ledger', scope: [LEDGER_SCOPES.readAccounts, 'ledger.accounts.write, ledger.entries.read'] }),
    ).toEqual({
      service: 'ledger',
      scopes: [LEDGER_SCOPES.readAccounts, LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readEntries],
      expiresInSeconds: 300,
      keyFile: undefined,
      dataDir: undefined,
    });
  });

  const good = { service: 'threeds', scope: [THREEDS_SCOPES.writeChallenges] };

  it.each([
    { values: { ...good, service: undefined }, says: /^--service must be one of/ },
    { values: { ...good, service: 'gateway' }, says: /^--service must be one of/ },
    { values: { service: 'threeds' }, says: /^--scope is required/ },
    { values: { ...good, scope: ['everything'] }, says: /^Unknown scope everything\./ },
    { values: { ...good, 'expires-in': '301' }, says: /^--expires-in must be/ },
    { values: { ...good, 'expires-in': '0' }, says: /^--expires-in must be/ },
    { values: { ...good, 'expires-in': 'soon' }, says: /^--expires-in must be/ },
  ])('is rejected: $says', ({ values, says }) => {
    expect(() => parseTokenRequest(values)).toThrow(says);
  });
});
