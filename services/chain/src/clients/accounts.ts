import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Hex } from '@florin/evm/hex';
import { type Account, AccountStatus, TokenBlockReason } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import { type Address, getAddress } from 'viem';
import { mapBounded } from '../ports/map-bounded.ts';

const TIMEOUT_MS = 10_000;

/** Addresses per call, as the ledger allows. */
const BATCH = 1000;

/** Calls at the same time: the ledger reads one request while the database works on the other. */
const CALLS = 2;

/** An account as a list of all accounts shows it. */
export type ListedAccount = {
  id: string;
  chainId: number;
  /** Address of the Safe, in lower case. */
  safe: Hex;
  /** The wallet that the Safe was made for, to which its address commits, EIP-55. */
  owner: Address;
};

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * Ids of the accounts whose Safes have one of these addresses, by address. One call per thousand addresses, whatever the number of accounts.
   * @param addresses in lower case, each once
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  findBySafes: (chainId: number, addresses: readonly Hex[]) => Promise<ReadonlyMap<Hex, string>>;
  /**
   * The same, with whether an account is being provisioned: it has not spent yet.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  findStatesBySafes: (chainId: number, addresses: readonly Hex[]) => Promise<ReadonlyMap<Hex, AccountState>>;
  /**
   * Stops an account's spending. One that is not active stays as it is.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  block: (accountId: string) => Promise<void>;
  /**
   * The account of a user.
   * @throws CodedError ACCOUNT_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  ofUser: (userId: string) => Promise<UserAccount>;
  /**
   * An account.
   * @throws CodedError ACCOUNT_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  find: (accountId: string) => Promise<UserAccount>;
  /**
   * Returns true if an account may spend.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  isActive: (accountId: string) => Promise<boolean>;
  /**
   * Returns true if an account has a successor.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  isFormer: (accountId: string) => Promise<boolean>;
  /**
   * Returns true if an account has not been active yet.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  isProvisioning: (accountId: string) => Promise<boolean>;
  /**
   * Returns the time at which an account was opened.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  openedAt: (accountId: string) => Promise<Date>;
  /**
   * Records that an account's Safe is deployed and verified, and how much of which tokens it allows to be collected in a day.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  confirmSafe: (accountId: string, collectionLimits?: readonly { token: string; amount: string }[]) => Promise<void>;
  /**
   * Records that an account's Safe is not what the account needs: the account is blocked until the Safe is confirmed, and nobody can unblock it before.
   * @param historyDiffers true if the Safe will never be confirmed again
   * @returns true if the ledger knows that; an instance of an earlier release does not
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  revokeSafe: (accountId: string, historyDiffers?: boolean) => Promise<boolean>;
  /**
   * Records that a recovery has exchanged the owner of an account's Safe.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  exchangeSafeOwner: (accountId: string, former: Address, owner: Address) => Promise<void>;
  /**
   * Stops the spending of all tokens of a chain, or lets it go on. May be repeated.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  haltChain: (chainId: number) => Promise<void>;
  resumeChain: (chainId: number) => Promise<void>;
  /**
   * Lets the tokens of a chain be spent until a time, unless the chain is halted.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  renewChain: (chainId: number, until: Date) => Promise<void>;
  /**
   * Stops the spending of a token, of one account or of all, or lets it go on. May be repeated.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  blockToken: (block: TokenBlock) => Promise<void>;
  unblockToken: (block: TokenBlock) => Promise<void>;
  /**
   * A page of all accounts in every state, by id.
   * @param cursor empty for the first page
   * @param limit at most 100
   * @returns an empty cursor with the last page
   * @throws CodedError VALIDATION_FAILED (a cursor that is not one), SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  page: (cursor: string, limit: number) => Promise<{ accounts: ListedAccount[]; nextCursor: string }>;
};

/** `accountId` absent: all accounts. Only of one account it is frozen. */
export type TokenBlock = { token: string; reason: 'frozen' | 'paused' | 'upgraded'; accountId?: string };

const REASON = {
  frozen: TokenBlockReason.FROZEN,
  paused: TokenBlockReason.PAUSED,
  upgraded: TokenBlockReason.UPGRADED,
} as const;

/** An account, and whether it has not been active yet. */
export type AccountState = { id: string; isProvisioning: boolean };

/** An account, and who owns its Safe. */
export type UserAccount = {
  id: string;
  chainId: number;
  /** EIP-55. */
  safe: Address;
  /** The wallet that the Safe was made for, to which its address commits, EIP-55. */
  owner: Address;
  /** True if the wallet that owns the Safe is not the user's any more. */
  ownerRevoked: boolean;
  /** The wallet that two people have put in the place of a revoked owner, EIP-55. */
  replacement?: Address;
  /** True if the platform pays for what the account needs. */
  approved: boolean;
  active: boolean;
  closed: boolean;
  /** The account that it succeeds. */
  formerAccountId?: string;
};

/** Earlier releases of the ledger know one owner. */
const firstOwnerOf = ({ safeFirstOwnerAddress: first, safeOwnerAddress }: Account): Address =>
  getAddress(first === '' ? safeOwnerAddress : first);

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  const lists = channel.client(AccountService, { also: ['VALIDATION_FAILED'] });
  const findStatesBySafes: AccountsClient['findStatesBySafes'] = async (chainId, addresses) => {
    const starts = Array.from({ length: Math.ceil(addresses.length / BATCH) }, (_, index) => index * BATCH);
    const pages = await mapBounded(starts, CALLS, async (start) => {
      const safeAddresses = addresses.slice(start, start + BATCH);
      return (await client.findAccountsBySafe({ chainId, safeAddresses }, { timeoutMs: TIMEOUT_MS })).accounts;
    });
    return new Map(
      pages
        .flat()
        .map(({ safeAddress, id, status }) => [
          safeAddress.toLowerCase() as Hex,
          { id, isProvisioning: status === AccountStatus.PROVISIONING },
        ]),
    );
  };
  const get = async (key: { case: 'userId' | 'accountId'; value: string }): Promise<Account> => {
    const { account } = await client.getAccount({ key }, { timeoutMs: TIMEOUT_MS });
    if (account === undefined) throw new Error('the ledger returned no account');
    return account;
  };
  const byId = (accountId: string) => get({ case: 'accountId', value: accountId });
  const toUserAccount = (account: Account): UserAccount => {
    const { id, chainId, safeAddress, approved, safeOwnerRevoked, safeReplacementAddress, status, formerAccountId } = account;
    return {
      id,
      chainId,
      safe: getAddress(safeAddress),
      owner: firstOwnerOf(account),
      ownerRevoked: safeOwnerRevoked,
      ...(safeReplacementAddress === '' ? {} : { replacement: getAddress(safeReplacementAddress) }),
      // Nothing is set up for a wallet that the user has lost.
      approved: approved && !safeOwnerRevoked,
      active: status === AccountStatus.ACTIVE,
      closed: status === AccountStatus.CLOSED,
      ...(formerAccountId === '' ? {} : { formerAccountId }),
    };
  };
  return {
    findStatesBySafes,
    findBySafes: async (chainId, addresses) =>
      new Map([...(await findStatesBySafes(chainId, addresses))].map(([safe, { id }]) => [safe, id])),
    ofUser: async (userId) => toUserAccount(await get({ case: 'userId', value: userId })),
    find: async (accountId) => toUserAccount(await byId(accountId)),
    isActive: async (accountId) => (await byId(accountId)).status === AccountStatus.ACTIVE,
    isFormer: async (accountId) => (await byId(accountId)).successorAccountId !== '',
    isProvisioning: async (accountId) => (await byId(accountId)).status === AccountStatus.PROVISIONING,
    openedAt: async (accountId) => {
      const { createdAt } = await byId(accountId);
      if (createdAt === undefined) throw new Error('the ledger returned no time');
      return timestampDate(createdAt);
    },
    revokeSafe: async (accountId, historyDiffers = false) => {
      const { account } = await client.revokeSafe({ accountId, historyDiffers }, { timeoutMs: TIMEOUT_MS });
      return account?.safeHistoryDiffers === true;
    },
    exchangeSafeOwner: async (accountId, formerOwnerAddress, ownerAddress) => {
      await client.exchangeSafeOwner({ accountId, formerOwnerAddress, ownerAddress }, { timeoutMs: TIMEOUT_MS });
    },
    confirmSafe: async (accountId, collectionLimits = []) => {
      await client.confirmSafe({ accountId, collectionLimits: [...collectionLimits] }, { timeoutMs: TIMEOUT_MS });
    },
    block: async (accountId) => {
      const blocked = client.blockAccount({ accountId, left: true }, { timeoutMs: TIMEOUT_MS });
      await undefinedOn('ACCOUNT_STATE_CONFLICT', blocked);
    },
    haltChain: async (chainId) => {
      await client.haltChain({ chainId }, { timeoutMs: TIMEOUT_MS });
    },
    resumeChain: async (chainId) => {
      await client.resumeChain({ chainId }, { timeoutMs: TIMEOUT_MS });
    },
    renewChain: async (chainId, until) => {
      await client.renewChain({ chainId, until: timestampFromDate(until) }, { timeoutMs: TIMEOUT_MS });
    },
    blockToken: async ({ token, reason, accountId = '' }) => {
      await client.blockToken({ token, reason: REASON[reason], accountId }, { timeoutMs: TIMEOUT_MS });
    },
    unblockToken: async ({ token, reason, accountId = '' }) => {
      await client.unblockToken({ token, reason: REASON[reason], accountId }, { timeoutMs: TIMEOUT_MS });
    },
    page: async (cursor, limit) => {
      const { accounts, page } = await lists.listAccounts({ page: { cursor, limit } }, { timeoutMs: TIMEOUT_MS });
      return {
        accounts: accounts.map((account) => ({
          id: account.id,
          chainId: account.chainId,
          safe: account.safeAddress.toLowerCase() as Hex,
          owner: firstOwnerOf(account),
        })),
        nextCursor: page?.nextCursor ?? '',
      };
    },
  };
};
