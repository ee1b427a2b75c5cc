import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';

export type AccountToOpen = {
  /** Chosen by identity; the idempotency key. */
  accountId: string;
  userId: string;
  kycProfileId: string;
  /** EIP-55. */
  safeOwnerAddress: string;
};

type Request = { requestId: string };

/** A lost wallet, and the one in its place (EIP-55); `replacementId` of the recovery that has replaced it. */
type ReplacedWallet = { lost: string; replacement: string; replacementId: string };

/**
 * Accounts of the ledger service, as far as registration and onboarding need them. Every call can be repeated.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; any other error of the ledger becomes INTERNAL_ERROR
 */
export type LedgerAccountsClient = {
  open: (account: AccountToOpen, request: Request) => Promise<void>;
  /** @returns false when the account is blocked or closed and cannot be activated */
  activate: (accountId: string, request: Request) => Promise<boolean>;
  /** Blocks an active account. Has no effect on an account in provisioning and on a closed one. */
  block: (accountId: string, request: Request) => Promise<void>;
  /** Stops an account if its Safe belongs to this wallet, which its user has lost, until a recovery has made its replacement the owner. */
  revokeSafeOwner: (accountId: string, wallets: ReplacedWallet, request: Request) => Promise<void>;
  /** The wallet that owns the account's Safe (EIP-55); once it is known to be lost, the one that is to own it, if there is one. */
  ownerOf: (accountId: string, request: Request) => Promise<string | undefined>;
  /** Reports whether the account is in provisioning. */
  isWaiting: (accountId: string, request: Request) => Promise<boolean>;
  /** Closes the account. Has no effect when it was never opened. */
  close: (accountId: string, request: Request) => Promise<void>;
};

export const createLedgerAccountsClient = (channel: RpcChannel): LedgerAccountsClient => {
  const accounts = channel.client(AccountService);
  const find = async (accountId: string, request: Request) =>
    (await accounts.getAccount({ key: { case: 'accountId', value: accountId } }, withinRequest(request))).account;
  return {
    open: async (account, request) => {
      await accounts.openAccount(account, withinRequest(request));
    },
    activate: async (accountId, request) => {
      const answer = accounts.activateAccount({ accountId }, withinRequest(request));
      return (await undefinedOn('ACCOUNT_STATE_CONFLICT', answer)) !== undefined;
    },
    block: async (accountId, request) => {
      const answer = accounts.blockAccount({ accountId }, withinRequest(request));
      await undefinedOn('ACCOUNT_STATE_CONFLICT', answer);
    },
    revokeSafeOwner: async (accountId, { lost: ownerAddress, replacement: replacementAddress, replacementId }, request) => {
      await accounts.revokeSafeOwner({ accountId, ownerAddress, replacementAddress, replacementId }, withinRequest(request));
    },
    ownerOf: async (accountId, request) => {
      const account = await find(accountId, request);
      if (account?.safeOwnerRevoked === true) return account.safeReplacementAddress === '' ? undefined : account.safeReplacementAddress;
      return account?.safeOwnerAddress;
    },
    isWaiting: async (accountId, request) => (await find(accountId, request))?.status === AccountStatus.PROVISIONING,
    close: async (accountId, request) => {
      const answer = accounts.closeAccount({ accountId }, withinRequest(request));
      await undefinedOn('ACCOUNT_NOT_FOUND', answer);
    },
  };
};
