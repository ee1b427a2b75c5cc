import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { GetAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { z } from 'zod';
import { uuid } from './fields.ts';
import { type Parts, requireAccount } from './parts.ts';
import { accountToWire } from './wire.ts';

const request = z.object({
  key: z.discriminatedUnion('case', [
    z.object({ case: z.literal('accountId'), value: uuid }),
    z.object({ case: z.literal('userId'), value: uuid }),
  ]),
});

export const getAccount = ({ accounts }: Parts) =>
  serviceMethod('ledger.accounts.read', async (message: GetAccountRequest) => {
    const { key } = parseRequest(request, message);
    const account = await (key.case === 'accountId' ? accounts.find(key.value) : accounts.findByUser(key.value));
    return { account: accountToWire(requireAccount(account)) };
  });
