import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import {
  AccountService,
  type BatchGetAccountsRequest,
  type BlockTokenRequest,
  type FindAccountsBySafeRequest,
  type GetAccountRequest,
  type GetCurrentAccountRequest,
  type HaltChainRequest,
  type ListAccountsRequest,
  type RenewChainRequest,
  type ResumeChainRequest,
  type UnblockTokenRequest,
} from '@florin/proto/ledger/v1/account_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { Account } from '../domain/account.ts';
import { accountActivated, accountUnblocked } from '../domain/account-change.ts';
import type { TokenBlock } from '../domain/token-block.ts';
import type { Journal } from '../journal/journal.ts';
import { changeAccount, closed } from './account-change.ts';
import { activateIf, blockAccount, blockActive, blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownerProblem, readAddress } from './fields.ts';
import { openAccount } from './open-account.ts';
import { ownedMethod } from './owned-method.ts';
import { replaceAccount } from './replace-account.ts';
import { BLOCK_REASONS, toWireAccount } from './to-wire.ts';

/** provisioning → active; where accounts need a Safe, once that is confirmed. */
const activateAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.activateAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      const account = requireAccount(await (accountsNeedSafe ? accounts.approve(accountId, runtime.now()) : accounts.find(accountId)));
      const mayBeActive = ({ safeOwnerRevokedAt, successorAccountId }: Account): boolean =>
        safeOwnerRevokedAt === undefined && successorAccountId === undefined;
      if (!mayBeActive(account)) throw new CodedError('ACCOUNT_STATE_CONFLICT');
      const waits = accountsNeedSafe && account.status === 'provisioning' && account.safeConfirmedAt === undefined;
      if (waits) return { account: toWireAccount(account) };
      const change = { accountId, intent: accountActivated(accountId) };
      return activateIf(dependencies, journal, change, mayBeActive);
    },
  );

/** Records that an account's Safe is verified, and activates an account that was approved and waits for it. */
const confirmSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.confirmSafe,
    serviceMethod,
    (request) => request,
    async ({ accountId, collectionLimits }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      const account = requireAccount(await accounts.confirmSafe(accountId, runtime.now(), collectionLimits));
      const mayBeActive = ({ approvedAt, safeConfirmedAt, safeOwnerRevokedAt }: Account): boolean =>
        approvedAt !== undefined && safeConfirmedAt !== undefined && safeOwnerRevokedAt === undefined;
      if (!accountsNeedSafe || account.status !== 'provisioning' || !mayBeActive(account)) return { account: toWireAccount(account) };
      return activateIf(dependencies, journal, { accountId, intent: accountActivated(accountId) }, mayBeActive);
    },
  );

/** Records that an account's Safe is not what the account needs, and blocks an active account. */
const revokeSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafe,
    serviceMethod,
    (request) => request,
    async ({ accountId, historyDiffers }, journal) => {
      const { accounts, runtime } = dependencies;
      return blockActive(dependencies, journal, requireAccount(await accounts.revokeSafe(accountId, runtime.now(), historyDiffers)));
    },
  );

/** Blocks an active account whose Safe's owner was revoked. */
const blockRevoked = async (dependencies: Dependencies, journal: Journal, account: Account) =>
  account.safeOwnerRevokedAt === undefined ? { account: toWireAccount(account) } : blockActive(dependencies, journal, account);

/** Records that the wallet that owns an account's Safe is lost, and blocks an active account. */
const revokeSafeOwner = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafeOwner,
    serviceMethod,
    (request) => {
      const { ownerAddress, replacementAddress } = request;
      requireFields({
        owner_address: ownerProblem(ownerAddress),
        replacement_address: replacementAddress === '' ? undefined : ownerProblem(replacementAddress),
      });
      return request;
    },
    async ({ accountId, ownerAddress, replacementAddress, replacementId }, journal) => {
      const { accounts, runtime } = dependencies;
      const lost = {
        owner: getAddress(ownerAddress),
        ...(replacementAddress === '' ? {} : { replacement: getAddress(replacementAddress) }),
        ...(replacementId === '' ? {} : { replacementId }),
      };
      return blockRevoked(dependencies, journal, requireAccount(await accounts.revokeSafeOwner(accountId, lost, runtime.now())));
    },
  );

/** Records that an account's Safe has got another owner. */
const exchangeSafeOwner = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.exchangeSafeOwner,
    serviceMethod,
    (request) => {
      const { formerOwnerAddress, ownerAddress } = request;
      const isSame = formerOwnerAddress.toLowerCase() === ownerAddress.toLowerCase();
      requireFields({
        former_owner_address: ownerProblem(formerOwnerAddress),
        owner_address: ownerProblem(ownerAddress) ?? (isSame ? 'must differ from former_owner_address' : undefined),
      });
      return request;
    },
    async ({ accountId, formerOwnerAddress, ownerAddress }, journal) => {
      const { accounts, runtime } = dependencies;
      const [former, owner] = [getAddress(formerOwnerAddress), getAddress(ownerAddress)];
      const account = requireAccount(await accounts.exchangeSafeOwner(accountId, former, owner, runtime.now()));
      return blockRevoked(dependencies, journal, account);
    },
  );

/** blocked → active, unless the account's Safe, or the wallet that owns it, was revoked. */
const unblockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.unblockAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      const refusalOf = ({ safeRevokedAt, safeOwnerRevokedAt, successorAccountId }: Account): ErrorCode | undefined => {
        if (successorAccountId !== undefined) return 'ACCOUNT_STATE_CONFLICT';
        if (safeOwnerRevokedAt !== undefined) return 'SAFE_OWNER_REVOKED';
        return safeRevokedAt === undefined ? undefined : 'SAFE_NOT_VERIFIED';
      };
      const refusal = async (): Promise<ErrorCode | undefined> => refusalOf(requireAccount(await accounts.find(accountId)));
      const reject = async (code: ErrorCode): Promise<never> => {
        if ((await journal.account(accountId))?.status === 'active') {
          await changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
        }
        throw new CodedError(code, { message: 'the decision to block the account is withdrawn, but its Safe keeps it blocked' });
      };
      // First: an account that its Safe keeps blocked can be replaced once nobody wants it blocked.
      await accounts.withdrawBlock(accountId);
      // An earlier call may have ended between the unblocking and the second look.
      const before = await refusal();
      if (before !== undefined) return reject(before);
      const intent = accountUnblocked(accountId, runtime.newId());
      const unblocked = await changeAccount(dependencies, journal, { accountId, target: 'active', intent });
      // It may have been revoked meanwhile, while the account was blocked already.
      const after = await refusal();
      return after === undefined ? unblocked : reject(after);
    },
  );

/** Stops the spending of a chain's tokens. */
const haltChain = ({ halts }: Dependencies) =>
  serviceMethod(async ({ chainId }: HaltChainRequest) => {
    await halts.halt(chainId);
    return {};
  });

/** Lets a chain's tokens be spent again. */
const resumeChain = ({ halts }: Dependencies) =>
  serviceMethod(async ({ chainId }: ResumeChainRequest) => {
    await halts.resume(chainId);
    return {};
  });

/** Lets a chain's tokens be spent until a time. */
const renewChain = ({ halts }: Dependencies) =>
  serviceMethod(async ({ chainId, until }: RenewChainRequest) => {
    await halts.renew(chainId, until && timestampDate(until));
    return {};
  });

/** @throws CodedError TOKEN_NOT_SUPPORTED */
const readTokenBlock = ({ assets }: Dependencies, request: BlockTokenRequest | UnblockTokenRequest): Omit<TokenBlock, 'since'> => {
  const { token, accountId } = request;
  const reason = BLOCK_REASONS.toWord(request.reason);
  if (reason === undefined || !assets.tokens.some(({ symbol }) => symbol === token)) throw new CodedError('TOKEN_NOT_SUPPORTED');
  return { token, reason, ...(accountId === '' ? {} : { accountId }) };
};

/** Stops the spending of a token, of one account or of all. */
const blockToken = (dependencies: Dependencies) =>
  serviceMethod(async (request: BlockTokenRequest) => {
    await dependencies.halts.block(readTokenBlock(dependencies, request));
    return {};
  });

/** Lets a token be spent again. */
const unblockToken = (dependencies: Dependencies) =>
  serviceMethod(async (request: UnblockTokenRequest) => {
    await dependencies.halts.unblock(readTokenBlock(dependencies, request));
    return {};
  });

/** Ends an account in which the user has no money. */
const closeAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.closeAccount,
    serviceMethod,
    (request) => request,
    ({ accountId }, journal) => changeAccount(dependencies, journal, closed(dependencies, accountId)),
  );

/**
 * Any account, for the platform's services.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
const getAccount = ({ accounts, references, halts }: Dependencies) => {
  const lookUp = async ({ case: by, value = '' }: GetAccountRequest['key']): Promise<Account | undefined> => {
    if (by === 'userId') return accounts.findByUser(value);
    const accountId = by === 'accountId' ? value : await references.accountOf(value);
    return accountId === undefined ? undefined : accounts.find(accountId);
  };
  return serviceMethod(async ({ key }: GetAccountRequest) => {
    const account = requireAccount(await lookUp(key));
    return { account: toWireAccount(account, halts.blocksOf(account.id)) };
  });
};

const batchGetAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(async ({ accountIds }: BatchGetAccountsRequest) => {
    const found = await Promise.all([...new Set(accountIds)].map((id) => accounts.find(id)));
    return { accounts: found.filter((account) => account !== undefined).map((account) => toWireAccount(account)) };
  });

/**
 * Accounts by the addresses of their Safes, for the chain watcher: from the records themselves, which are written before an address is
 * shown to anyone.
 */
const findAccountsBySafe = ({ accounts }: Dependencies) =>
  serviceMethod(async (request: FindAccountsBySafeRequest) => {
    const safeAddresses = request.safeAddresses.map((address, at) => readAddress(`safe_addresses[${at}]`, address));
    return { accounts: (await accounts.findBySafes(request.chainId, safeAddresses)).map((account) => toWireAccount(account)) };
  });

/** A page of all accounts, or of the blocked ones, by id: an account that exists at the start is on exactly one page. */
const listAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(async (request: ListAccountsRequest) => {
    const page = pageOf(request);
    const found = await accounts.page(decodeIdCursor(page.cursor), page.limit + 1, request.blocked);
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { accounts: rows.map((account) => toWireAccount(account)), page: { nextCursor } };
  });

/** The caller's account. */
const getCurrentAccount = ({ accounts, halts }: Dependencies) =>
  userMethod(async (_request: GetCurrentAccountRequest, { caller }) => {
    const account = requireAccount(await accounts.findByUser(caller.userId));
    return { account: toWireAccount(account, halts.blocksOf(account.id)) };
  });

/** Implementation of the contract `AccountService`. */
export const accountService = (dependencies: Dependencies): ServiceImplementation =>
  implement(AccountService, {
    openAccount: openAccount(dependencies),
    activateAccount: activateAccount(dependencies),
    confirmSafe: confirmSafe(dependencies),
    revokeSafe: revokeSafe(dependencies),
    revokeSafeOwner: revokeSafeOwner(dependencies),
    exchangeSafeOwner: exchangeSafeOwner(dependencies),
    replaceAccount: replaceAccount(dependencies),
    blockAccount: blockAccount(dependencies),
    unblockAccount: unblockAccount(dependencies),
    haltChain: haltChain(dependencies),
    resumeChain: resumeChain(dependencies),
    renewChain: renewChain(dependencies),
    blockToken: blockToken(dependencies),
    unblockToken: unblockToken(dependencies),
    closeAccount: closeAccount(dependencies),
    getAccount: getAccount(dependencies),
    batchGetAccounts: batchGetAccounts(dependencies),
    findAccountsBySafe: findAccountsBySafe(dependencies),
    listAccounts: listAccounts(dependencies),
    getCurrentAccount: getCurrentAccount(dependencies),
  });
