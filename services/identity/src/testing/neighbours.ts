import { CodedError } from '@florin/kit/errors';
import { serviceMethod } from '@florin/kit/rpc';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/kit/testing';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';

type FakeAccount = { userId: string; kycProfileId: string; safeOwnerAddress: string; status: AccountStatus };

/** The ledger's account service as identity sees it: idempotent by id, refuses what the real one refuses. */
export const startTestLedger = async (authority: TestAuthority) => {
  const accounts = new Map<string, FakeAccount>();
  const failing = new Set<'open' | 'activate' | 'close'>();
  const move = (call: 'activate' | 'close', accountId: string, to: AccountStatus): void => {
    if (failing.has(call)) throw new CodedError('SERVICE_UNAVAILABLE');
    const account = accounts.get(accountId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    if (account.status === AccountStatus.CLOSED && to !== AccountStatus.CLOSED) throw new CodedError('ACCOUNT_STATE_CONFLICT');
    accounts.set(accountId, { ...account, status: to });
  };
  const server = await startNeighbour({
    authority,
    name: 'ledger',
    services: [
      implementPart(AccountService, {
        openAccount: serviceMethod('ledger.accounts.write', ({ accountId, userId, kycProfileId, safeOwnerAddress }) => {
          if (failing.has('open')) throw new CodedError('SERVICE_UNAVAILABLE');
          const content = { userId, kycProfileId, safeOwnerAddress };
          const existing = accounts.get(accountId);
          if (existing === undefined) accounts.set(accountId, { ...content, status: AccountStatus.PROVISIONING });
          else if (JSON.stringify({ ...existing, status: 0 }) !== JSON.stringify({ ...content, status: 0 })) {
            throw new CodedError('IDEMPOTENCY_KEY_REUSED');
          }
          return {};
        }),
        activateAccount: serviceMethod('ledger.accounts.write', ({ accountId }) => {
          move('activate', accountId, AccountStatus.ACTIVE);
          return {};
        }),
        closeAccount: serviceMethod('ledger.accounts.write', ({ accountId }) => {
          move('close', accountId, AccountStatus.CLOSED);
          return {};
        }),
      }),
    ],
  });
  return { url: server.url, accounts, failing, close: () => server.close() };
};
