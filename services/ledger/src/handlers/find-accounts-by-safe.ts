import type { FindAccountsBySafeRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { toWireAccount } from './to-wire.ts';

const MAX_ADDRESSES = 1000;

const requestSchema = z.object({ chainId: z.number(), safeAddresses: z.array(addressSchema).max(MAX_ADDRESSES) });

/**
 * Accounts by the addresses of their Safes, for the chain watcher: from the records themselves, which are written before an address is
 * shown to anyone.
 * @throws CodedError VALIDATION_FAILED
 */
export const findAccountsBySafe = ({ accounts }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readAccounts, async (request: FindAccountsBySafeRequest) => {
    const { chainId, safeAddresses } = parseRequest(requestSchema, request);
    return { accounts: (await accounts.findBySafes(chainId, safeAddresses)).map(toWireAccount) };
  });
