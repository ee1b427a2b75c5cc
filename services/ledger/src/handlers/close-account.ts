import { CodedError } from '@florin/kit/errors';
import { uuidSchema } from '@florin/kit/fields';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { CloseAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { z } from 'zod';
import { accountClosed } from '../domain/account-closing.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ accountId: uuidSchema });

/**
 * The journal decides, the account's record follows behind it: a call that is killed in between needs no repeat to be finished.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_NOT_EMPTY, SERVICE_UNAVAILABLE, VALIDATION_FAILED
 */
export const closeAccount = ({ accounts, journal, relay }: Dependencies) =>
  serviceMethod('ledger.accounts.write', async (request: CloseAccountRequest) => {
    const { accountId } = parseRequest(requestSchema, request);
    const before = requireAccount(await accounts.find(accountId));
    if (before.status === 'closed') return { account: toWireAccount(before) };
    const outcome = await journal.append(accountClosed(accountId));
    if (outcome.kind === 'refused') throw new CodedError(outcome.code);
    // Unlike a movement's, an account's record cannot be answered from the entry alone; the repeat will find it.
    if (!outcome.projected) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'closed, but its record is not written yet' });
    relay.kick();
    return { account: toWireAccount(requireAccount(await accounts.find(accountId))) };
  });
