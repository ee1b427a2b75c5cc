import { predictSafeAddress } from '@florin/evm/safe';
import { AccountService, type OpenAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { Account } from '../domain/account.ts';
import { accountOpened } from '../domain/account-change.ts';
import { inputHash } from '../domain/input-hash.ts';
import type { Journal } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';
import { ownerProblem } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** An account to be opened; `formerAccountId`: the account that it succeeds. */
type Opening = Pick<OpenAccountRequest, 'accountId' | 'userId' | 'kycProfileId' | 'safeOwnerAddress'> & { formerAccountId?: string };

const newAccount = (
  { accountId, userId, kycProfileId, safeOwnerAddress, formerAccountId }: Opening,
  reference: string,
  { assets, platformOwner, runtime }: Dependencies,
): Account => {
  const { chainId, nativeCurrency, additionalCurrencies } = assets.accounts;
  const owner = getAddress(safeOwnerAddress);
  const now = runtime.now();
  return {
    id: accountId,
    userId,
    kycProfileId,
    safeOwnerAddress: owner,
    safeAddress: predictSafeAddress(accountId, platformOwner === undefined ? [owner] : [owner, platformOwner]),
    chainId,
    chainName: assets.chains.find(({ id }) => id === chainId)?.name ?? '',
    reference,
    nativeCurrency,
    additionalCurrencies,
    status: 'provisioning',
    createdAt: now,
    updatedAt: now,
    ...(formerAccountId === undefined ? {} : { formerAccountId }),
  };
};

/**
 * Opens an account unless there is one of that id. The reference is claimed first, then the record is written, then the journal learns of the account: killed in
 * between, the repeat goes through the same steps again and goes on.
 * @returns the stored account
 * @throws CodedError IDEMPOTENCY_KEY_REUSED if it was opened with other content
 */
export const open = async (dependencies: Dependencies, journal: Journal, opening: Opening): Promise<Account> => {
  const { accounts, references, relay } = dependencies;
  const hash = inputHash(opening.userId, opening.kycProfileId, opening.safeOwnerAddress.toLowerCase());
  const reference = await references.claim(opening.accountId);
  const stored = await accounts.open(newAccount(opening, reference, dependencies), hash);
  if (stored.inputHash !== hash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
  await journal.append([accountOpened(opening.accountId)]);
  relay.kick();
  return stored.account;
};

/** Opens an account, once by its id. */
export const openAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.openAccount,
    serviceMethod,
    (request) => {
      requireFields({ safe_owner_address: ownerProblem(request.safeOwnerAddress) });
      return request;
    },
    async (opening, journal) => ({ account: toWireAccount(await open(dependencies, journal, opening)) }),
  );
