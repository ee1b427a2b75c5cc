import { minorUnitOf } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import type { AccountStatus } from '../domain/account.ts';
import { accountClosed } from '../domain/account-change.ts';
import type { Intent } from '../domain/draft-block.ts';
import type { Journal } from '../journal/journal.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

type AccountChange = { accountId: string; target: AccountStatus; intent: Intent };

/** The change that closes an account. */
export const closed = ({ assets }: Pick<Dependencies, 'assets'>, accountId: string): AccountChange => ({
  accountId,
  target: 'closed',
  intent: accountClosed(accountId, (token) => minorUnitOf(assets, token)),
});

/**
 * Changes an account's state: the journal decides, the account's record follows. A call that is killed in between needs no repeat to
 * be finished. An account that is in that state already stays as it is.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_STATE_CONFLICT, ACCOUNT_NOT_EMPTY, SERVICE_UNAVAILABLE
 */
export const changeAccount = async ({ accounts, relay }: Dependencies, journal: Journal, { accountId, target, intent }: AccountChange) => {
  const outcome = await journal.appendOne(intent);
  if (outcome.kind !== 'created' && (await journal.account(accountId))?.status !== target) {
    const refusal = outcome.kind === 'refused' && outcome.code !== 'ACCOUNT_CLOSED' ? outcome.code : 'ACCOUNT_STATE_CONFLICT';
    throw new CodedError(refusal);
  }
  // Unlike a movement, an account cannot be returned from the entry alone; the repeat will find it.
  if (!(await journal.projected())) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'done, but the record is not written yet' });
  relay.kick();
  return { account: toWireAccount(requireAccount(await accounts.find(accountId))) };
};
