import type { Hex } from '@florin/evm/hex';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn } from '@florin/rpc/client';

const TIMEOUT_MS = 10_000;

/** Addresses per call, as the ledger allows. */
const BATCH = 1000;

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * Ids of the accounts whose Safes have one of these addresses, by address. One call per thousand addresses, whatever the number of accounts.
   * @param addresses in lower case, each once
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  findBySafes: (chainId: number, addresses: readonly Hex[]) => Promise<ReadonlyMap<Hex, string>>;
  /**
   * Stops an account's spending. One that is not active stays as it is.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  block: (accountId: string) => Promise<void>;
};

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    findBySafes: async (chainId, addresses) => {
      const found = new Map<Hex, string>();
      for (let start = 0; start < addresses.length; start += BATCH) {
        const safeAddresses = addresses.slice(start, start + BATCH);
        const { accounts } = await onlyKnownCodes(client.findAccountsBySafe({ chainId, safeAddresses }, { timeoutMs: TIMEOUT_MS }), []);
        for (const { safeAddress, id } of accounts) found.set(safeAddress.toLowerCase() as Hex, id);
      }
      return found;
    },
    block: async (accountId) => {
      const blocked = client.blockAccount({ accountId }, { timeoutMs: TIMEOUT_MS });
      await undefinedOn('ACCOUNT_STATE_CONFLICT', onlyKnownCodes(blocked, ['ACCOUNT_STATE_CONFLICT']));
    },
  };
};
