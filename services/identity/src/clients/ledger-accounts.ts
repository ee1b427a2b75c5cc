import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';

export type AccountToOpen = {
  /** Chosen by us, the idempotency key. */
  accountId: string;
  userId: string;
  kycProfileId: string;
  /** EIP-55. */
  safeOwnerAddress: string;
};

type Request = { requestId: string };

/**
 * The accounts of the ledger service, as far as registration and onboarding need them. Every call may be repeated.
 * Errors: SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; anything else is our own mistake and INTERNAL_ERROR.
 */
export type LedgerAccounts = {
  open: (account: AccountToOpen, request: Request) => Promise<void>;
  /** @returns false when the account was blocked or closed meanwhile: it cannot be activated any more */
  activate: (accountId: string, request: Request) => Promise<boolean>;
  /** Whether the account was opened and never activated. */
  isWaiting: (accountId: string, request: Request) => Promise<boolean>;
  /** Also for an account that was never opened. */
  close: (accountId: string, request: Request) => Promise<void>;
};

export const createLedgerAccounts = (channel: RpcChannel): LedgerAccounts => {
  const accounts = channel.client(AccountService);
  return {
    open: async (account, request) => {
      await onlyKnownCodes(accounts.openAccount(account, withinRequest(request)), []);
    },
    activate: async (accountId, request) => {
      const answer = accounts.activateAccount({ accountId }, withinRequest(request));
      return (await undefinedOn('ACCOUNT_STATE_CONFLICT', onlyKnownCodes(answer, ['ACCOUNT_STATE_CONFLICT']))) !== undefined;
    },
    isWaiting: async (accountId, request) => {
      const key = { case: 'accountId' as const, value: accountId };
      const { account } = await onlyKnownCodes(accounts.getAccount({ key }, withinRequest(request)), []);
      return account?.status === AccountStatus.PROVISIONING;
    },
    close: async (accountId, request) => {
      const answer = accounts.closeAccount({ accountId }, withinRequest(request));
      await undefinedOn('ACCOUNT_NOT_FOUND', onlyKnownCodes(answer, ['ACCOUNT_NOT_FOUND']));
    },
  };
};
