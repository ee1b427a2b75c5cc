import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { ActivateAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { z } from 'zod';
import { uuid } from './fields.ts';
import { type Parts, requireAccount } from './parts.ts';
import { accountToWire } from './wire.ts';

const request = z.object({ accountId: uuid });

export const activateAccount = ({ accounts, relay }: Parts) =>
  serviceMethod('ledger.accounts.write', async (message: ActivateAccountRequest) => {
    const { accountId } = parseRequest(request, message);
    const activated = await accounts.activate(accountId);
    if (activated !== undefined) {
      relay.kick();
      return { account: accountToWire(activated) };
    }
    const account = requireAccount(await accounts.find(accountId));
    if (account.status !== 'active') throw new CodedError('ACCOUNT_STATE_CONFLICT');
    return { account: accountToWire(account) };
  });
