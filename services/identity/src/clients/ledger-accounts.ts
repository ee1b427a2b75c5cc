import { CodedError, isCoded } from '@florin/kit/errors';
import { type RpcChannel, withinRequest } from '@florin/kit/rpc';
import { AccountService } from '@florin/proto/ledger/v1/account_service';

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
 * The accounts of the ledger service, as far as registration needs them. Every call may be repeated.
 * Errors: SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; anything else is our own mistake and INTERNAL_ERROR.
 */
export type LedgerAccounts = {
  open: (account: AccountToOpen, request: Request) => Promise<void>;
  activate: (accountId: string, request: Request) => Promise<void>;
  /** Also for an account that was never opened. */
  close: (accountId: string, request: Request) => Promise<void>;
};

/** What the ledger says about our request is no business of the person's. */
const asOurs = (error: unknown): never => {
  if (isCoded(error, 'SERVICE_UNAVAILABLE') || isCoded(error, 'UPSTREAM_TIMEOUT')) throw error;
  throw new CodedError('INTERNAL_ERROR', { cause: error });
};

export const createLedgerAccounts = (channel: RpcChannel): LedgerAccounts => {
  const accounts = channel.client(AccountService);
  return {
    open: async (account, request) => {
      await accounts.openAccount(account, withinRequest(request)).catch(asOurs);
    },
    activate: async (accountId, request) => {
      await accounts.activateAccount({ accountId }, withinRequest(request)).catch(asOurs);
    },
    close: async (accountId, request) => {
      await accounts
        .closeAccount({ accountId }, withinRequest(request))
        .catch((error: unknown) => (isCoded(error, 'ACCOUNT_NOT_FOUND') ? undefined : asOurs(error)));
    },
  };
};
