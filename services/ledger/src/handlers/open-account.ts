import { predictSafeAddress } from '@florin/evm/safe';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import { accountOpened } from '../domain/account-change.ts';
import { inputHash } from '../domain/input-hash.ts';
import type { Dependencies } from './dependencies.ts';
import { ownerAddress } from './fields.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ accountId: uuidSchema, userId: uuidSchema, kycProfileId: uuidSchema, safeOwnerAddress: ownerAddress });
type Opening = z.output<typeof requestSchema>;

const newAccount = (
  { accountId, userId, kycProfileId, safeOwnerAddress }: Opening,
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
  };
};

/**
 * The reference is claimed first, then the record is written, then the journal learns of the account: killed in between, the repeat
 * goes through the same steps again and goes on.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const openAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.openAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    (request) => parseRequest(requestSchema, request),
    async (opening, journal) => {
      const { accounts, references, relay } = dependencies;
      const hash = inputHash(opening.userId, opening.kycProfileId, opening.safeOwnerAddress.toLowerCase());
      const reference = await references.claim(opening.accountId);
      const stored = await accounts.open(newAccount(opening, reference, dependencies), hash);
      if (stored.inputHash !== hash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      await journal.append([accountOpened(opening.accountId)]);
      relay.kick();
      return { account: toWireAccount(stored.account) };
    },
  );
