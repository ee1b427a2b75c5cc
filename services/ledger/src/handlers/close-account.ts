import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { CloseAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { z } from 'zod';
import { accountClosed } from '../domain/account-closing.ts';
import { uuid } from './fields.ts';
import { type Parts, requireAccount } from './parts.ts';
import { accountToWire } from './wire.ts';

const request = z.object({ accountId: uuid });

/** The journal decides, the account's record follows behind it: a call that is killed in between needs no repeat to be finished. */
export const closeAccount = ({ accounts, journal, relay }: Parts) =>
  serviceMethod('ledger.accounts.write', async (message: CloseAccountRequest) => {
    const { accountId } = parseRequest(request, message);
    const before = requireAccount(await accounts.find(accountId));
    if (before.status === 'closed') return { account: accountToWire(before) };
    const outcome = await journal.append(accountClosed(accountId));
    if (outcome.kind === 'refused') throw new CodedError(outcome.code);
    // Unlike a movement's, an account's record cannot be answered from the entry alone; the repeat will find it.
    if (!outcome.projected) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'closed, but its record is not written yet' });
    relay.kick();
    return { account: accountToWire(requireAccount(await accounts.find(accountId))) };
  });
