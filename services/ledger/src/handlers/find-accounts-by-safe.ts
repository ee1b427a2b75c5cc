import type { FindAccountsBySafeRequest } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readAddress } from './fields.ts';
import { toWireAccount } from './to-wire.ts';

/**
 * Accounts by the addresses of their Safes, for the chain watcher: from the records themselves, which are written before an address is
 * shown to anyone.
 */
export const findAccountsBySafe = ({ accounts }: Dependencies) =>
  serviceMethod(async (request: FindAccountsBySafeRequest) => {
    const safeAddresses = request.safeAddresses.map((address, at) => readAddress(`safe_addresses[${at}]`, address));
    return { accounts: (await accounts.findBySafes(request.chainId, safeAddresses)).map(toWireAccount) };
  });
