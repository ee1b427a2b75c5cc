import type { GetAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({
  key: z.discriminatedUnion('case', [
    z.object({ case: z.literal('accountId'), value: uuidSchema }),
    z.object({ case: z.literal('userId'), value: uuidSchema }),
    z.object({
      case: z.literal('reference'),
      value: z.string().regex(/^RF[0-9]{2}[0-9A-Z]{1,21}$/, 'must be a creditor reference (ISO 11649)'),
    }),
  ]),
});

/**
 * Any account, for the platform's services.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const getAccount = ({ accounts, references }: Dependencies) => {
  const lookUp = async ({ case: by, value }: z.output<typeof requestSchema>['key']): Promise<Account | undefined> => {
    if (by === 'userId') return accounts.findByUser(value);
    const accountId = by === 'accountId' ? value : await references.accountOf(value);
    return accountId === undefined ? undefined : accounts.find(accountId);
  };
  return serviceMethod(LEDGER_SCOPES.readAccounts, async (request: GetAccountRequest) => {
    const { key } = parseRequest(requestSchema, request);
    return { account: toWireAccount(requireAccount(await lookUp(key))) };
  });
};
