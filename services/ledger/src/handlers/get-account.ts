import type { GetAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({
  key: z.discriminatedUnion('case', [
    z.object({ case: z.literal('accountId'), value: uuidSchema }),
    z.object({ case: z.literal('userId'), value: uuidSchema }),
  ]),
});

/**
 * Any account, for the platform's services.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const getAccount = ({ accounts }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readAccounts, async (request: GetAccountRequest) => {
    const { key } = parseRequest(requestSchema, request);
    const account = await (key.case === 'accountId' ? accounts.find(key.value) : accounts.findByUser(key.value));
    return { account: toWireAccount(requireAccount(account)) };
  });
