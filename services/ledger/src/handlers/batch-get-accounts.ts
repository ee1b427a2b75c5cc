import type { BatchGetAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { batchIdsSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ accountIds: batchIdsSchema });

/** @throws CodedError VALIDATION_FAILED */
export const batchGetAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readAccounts, async (request: BatchGetAccountsRequest) => {
    const { accountIds } = parseRequest(requestSchema, request);
    const found = await Promise.all(accountIds.map((id) => accounts.find(id)));
    return { accounts: found.filter((account) => account !== undefined).map(toWireAccount) };
  });
