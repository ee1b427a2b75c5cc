import type { BatchGetAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

export const batchGetAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(async ({ accountIds }: BatchGetAccountsRequest) => {
    const found = await Promise.all([...new Set(accountIds)].map((id) => accounts.find(id)));
    return { accounts: found.filter((account) => account !== undefined).map(toWireAccount) };
  });
