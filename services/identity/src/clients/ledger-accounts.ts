import { type Account, AccountStatus } from '@florin/proto/ledger/v1/account';
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
 * Accounts of the ledger service, as far as registration and onboarding need them. Every call can be repeated. A user keeps the id of the first account; calls
 * about it also concern its successors.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; any other error of the ledger becomes INTERNAL_ERROR
 */
export type LedgerAccountsClient = {
  open: (account: AccountToOpen, request: Request) => Promise<void>;
  /** Activates the newest account. @returns false when it is blocked or closed and cannot be activated */
  activate: (accountId: string, request: Request) => Promise<boolean>;
  /** Blocks an active account. Has no effect on an account in provisioning and on a closed one. */
  block: (accountId: string, request: Request) => Promise<void>;
  /** Stops an account if its Safe belongs to this wallet, which its user has lost, until a recovery has made its replacement the owner. */
  revokeSafeOwner: (accountId: string, wallets: ReplacedWallet, request: Request) => Promise<void>;
  /** The wallet that owns the newest account's Safe (EIP-55); once it is known to be lost, the one that is to own it, if there is one. */
  ownerOf: (accountId: string, request: Request) => Promise<string | undefined>;
  /** Reports whether the newest account is in provisioning. */
  isWaiting: (accountId: string, request: Request) => Promise<boolean>;
  /** Closes the account. Has no effect when it was never opened. */
  close: (accountId: string, request: Request) => Promise<void>;
};

export const createLedgerAccountsClient = (channel: RpcChannel): LedgerAccountsClient => {
  const accounts = channel.client(AccountService);
  const find = async (accountId: string, request: Request) =>
    (await accounts.getAccount({ key: { case: 'accountId', value: accountId } }, withinRequest(request))).account;
  /** The account and its successors, the newest last. */
  const lineOf = async (accountId: string, request: Request): Promise<Account[]> => {
    const line: Account[] = [];
    for (let id = accountId; id !== ''; id = line.at(-1)?.successorAccountId ?? '') {
      // A replacement that was interrupted has named a successor, and not opened it yet.
      const account = line.length === 0 ? await find(id, request) : await undefinedOn('ACCOUNT_NOT_FOUND', find(id, request));
      if (account === undefined) break;
      line.push(account);
    }
    return line;
  };
  const newestOf = async (accountId: string, request: Request) => (await lineOf(accountId, request)).at(-1);
  /** Calls for an account and its successors, as each answer names the next. */
  const forEach = async (
    accountId: string,
    call: (accountId: string) => Promise<{ account?: Account | undefined } | undefined>,
  ): Promise<void> => {
    for (let id = accountId; id !== ''; ) id = (await call(id))?.account?.successorAccountId ?? '';
  };
  const activate = async (accountId: string, request: Request): Promise<boolean> =>
    (await undefinedOn('ACCOUNT_STATE_CONFLICT', accounts.activateAccount({ accountId }, withinRequest(request)))) !== undefined;
  return {
    open: async (account, request) => {
      await accounts.openAccount(account, withinRequest(request));
    },
    activate: async (accountId, request) => {
      if (await activate(accountId, request)) return true;
      const newest = await newestOf(accountId, request);
      return newest !== undefined && newest.id !== accountId && activate(newest.id, request);
    },
    block: async (accountId, request) => {
      // Its successor last: one that is blocked without a successor gets none.
      for (let id: string | undefined = accountId; id !== undefined; id = (await lineOf(id, request))[1]?.id)
        await undefinedOn('ACCOUNT_STATE_CONFLICT', accounts.blockAccount({ accountId: id }, withinRequest(request)));
    },
    revokeSafeOwner: (first, { lost: ownerAddress, replacement: replacementAddress, replacementId }, request) =>
      forEach(first, (accountId) =>
        accounts.revokeSafeOwner({ accountId, ownerAddress, replacementAddress, replacementId }, withinRequest(request)),
      ),
    ownerOf: async (accountId, request) => {
      const account = await newestOf(accountId, request);
      if (account?.safeOwnerRevoked === true) return account.safeReplacementAddress === '' ? undefined : account.safeReplacementAddress;
      return account?.safeOwnerAddress;
    },
    isWaiting: async (accountId, request) => (await newestOf(accountId, request))?.status === AccountStatus.PROVISIONING,
    close: (first, request) =>
      forEach(first, (accountId) => undefinedOn('ACCOUNT_NOT_FOUND', accounts.closeAccount({ accountId }, withinRequest(request)))),
  };
};
