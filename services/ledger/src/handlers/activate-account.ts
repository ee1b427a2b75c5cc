import { CodedError } from '@florin/kit/errors';
import { uuidSchema } from '@florin/kit/fields';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { ActivateAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { z } from 'zod';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ accountId: uuidSchema });

/**
 * provisioning → active; an active account stays as it is.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_STATE_CONFLICT, VALIDATION_FAILED
 */
export const activateAccount = ({ accounts, relay }: Dependencies) =>
  serviceMethod('ledger.accounts.write', async (request: ActivateAccountRequest) => {
    const { accountId } = parseRequest(requestSchema, request);
    const activated = await accounts.activate(accountId);
    if (activated !== undefined) {
      relay.kick();
      return { account: toWireAccount(activated) };
    }
    const account = requireAccount(await accounts.find(accountId));
    if (account.status !== 'active') throw new CodedError('ACCOUNT_STATE_CONFLICT');
    return { account: toWireAccount(account) };
  });
