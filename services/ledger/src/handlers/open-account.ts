import { AccountService, type OpenAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import { accountOpened } from '../domain/account-change.ts';
import { inputHash } from '../domain/input-hash.ts';
import { predictSafeAddress } from '../domain/safe-address.ts';
import type { Dependencies } from './dependencies.ts';
import { ownerAddress } from './fields.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ accountId: uuidSchema, userId: uuidSchema, kycProfileId: uuidSchema, safeOwnerAddress: ownerAddress });
type Opening = z.output<typeof requestSchema>;

const newAccount = (
  { accountId, userId, kycProfileId, safeOwnerAddress }: Opening,
  reference: string,
  { assets, runtime }: Dependencies,
): Account => {
  const { chainId, nativeCurrency, additionalCurrencies } = assets.accounts;
  const owner = getAddress(safeOwnerAddress);
  const now = runtime.now();
  return {
    id: accountId,
    userId,
    kycProfileId,
    safeOwnerAddress: owner,
    safeAddress: predictSafeAddress(accountId, owner),
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
export const openAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', async (request: OpenAccountRequest, call) => {
    const opening = parseRequest(requestSchema, request);
    return parts.shards.atOwner(opening.accountId, { rpc: AccountService.method.openAccount, request, call }, async (journal) => {
      const hash = inputHash(opening.userId, opening.kycProfileId, opening.safeOwnerAddress.toLowerCase());
      const reference = await parts.references.claim(opening.accountId);
      const stored = await parts.accounts.open(newAccount(opening, reference, parts), hash);
      if (stored.inputHash !== hash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      await journal.append([accountOpened(opening.accountId)]);
      parts.relay.kick();
      return { account: toWireAccount(stored.account) };
    });
  });
