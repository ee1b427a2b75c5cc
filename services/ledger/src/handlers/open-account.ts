import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { OpenAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import { inputHash } from '../domain/input-hash.ts';
import { predictSafeAddress } from '../domain/safe-address.ts';
import { ownerAddress, uuid } from './fields.ts';
import type { Parts } from './parts.ts';
import { accountToWire } from './wire.ts';

const request = z.object({ accountId: uuid, userId: uuid, kycProfileId: uuid, safeOwnerAddress: ownerAddress });
type Opening = z.output<typeof request>;

const newAccount = (
  { accountId, userId, kycProfileId, safeOwnerAddress }: Opening,
  reference: string,
  { assets, runtime }: Parts,
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

/** The reference is claimed first: killed in between, the repeat claims the same one again and goes on. */
export const openAccount = (parts: Parts) =>
  serviceMethod('ledger.accounts.write', async (message: OpenAccountRequest) => {
    const opening = parseRequest(request, message);
    const hash = inputHash(opening.userId, opening.kycProfileId, opening.safeOwnerAddress.toLowerCase());
    const reference = await parts.references.claim(opening.accountId);
    const stored = await parts.accounts.open(newAccount(opening, reference, parts), hash);
    if (stored.inputHash !== hash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    parts.relay.kick();
    return { account: accountToWire(stored.account) };
  });
