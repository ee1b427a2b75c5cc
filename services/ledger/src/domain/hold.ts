import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { OpenHold } from './account-state.ts';
import { type Intent, intentOf } from './draft-block.ts';
import type { EntryKind, Proposal, Transfer } from './entry.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';
import { orderHash } from './transfer-order.ts';

export type HoldOrder = {
  /** Caller-chosen UUID: the id of the entry, and of the hold. */
  id: string;
  accountId: string;
  token: string;
  amount: Amount;
  /** System account that gets the money when the hold is posted. */
  credit: string;
  expiresAt: Date;
};

/** Sets money aside: available → held. The record of it never changes; what becomes of it is another entry. */
export const holdOrdered = ({ id, accountId, token, amount, credit, expiresAt }: HoldOrder): Intent => {
  const until = expiresAt.toISOString();
  const transfer = { debit: userAccount(accountId, 'available'), credit, token, amount };
  const proposal: Proposal = {
    id,
    kind: 'hold.created',
    accountId,
    inputHash: orderHash([transfer], until),
    transfers: [{ ...transfer, credit: userAccount(accountId, 'held') }],
    data: { credit, expiresAt: until },
  };
  return intentOf(proposal);
};

/** The three ends of a hold have the same entry id: of several that race the journal takes one. */
export const holdEndId = (holdId: string): string => `hold/${holdId}/ended`;

/** Ends a hold. `transfers` says where its money goes, or why it cannot. */
const ended = (
  kind: EntryKind,
  { accountId, holdId }: { accountId: string; holdId: string },
  hash: string,
  transfers: (hold: OpenHold) => Transfer[] | ErrorCode,
): Intent => ({
  id: holdEndId(holdId),
  inputHash: hash,
  accounts: [accountId],
  propose: (state, at) => {
    const account = state.account(accountId);
    if (account === undefined) return 'ACCOUNT_NOT_FOUND';
    const hold = account.holds.get(holdId);
    if (hold === undefined) return 'HOLD_NOT_FOUND';
    if (kind !== 'hold.expired' && at.getTime() >= hold.expiresAt) return 'HOLD_EXPIRED';
    const moved = transfers(hold);
    if (typeof moved === 'string') return moved;
    return { id: holdEndId(holdId), kind, accountId, inputHash: hash, transfers: moved, data: { holdId } };
  },
});

const release = (accountId: string, { token, amount }: Pick<OpenHold, 'token' | 'amount'>): Transfer => ({
  debit: userAccount(accountId, 'held'),
  credit: userAccount(accountId, 'available'),
  token,
  amount,
});

/** Takes the money of a hold, whole or in part; the rest is free again. @param amount undefined takes everything */
export const holdPosted = (hold: { accountId: string; holdId: string }, amount: Amount | undefined): Intent =>
  ended('hold.posted', hold, inputHash('post', amount?.toString() ?? ''), ({ token, amount: held, credit }) => {
    const taken = amount ?? held;
    if (taken > held) return 'AMOUNT_INVALID';
    const post = { debit: userAccount(hold.accountId, 'held'), credit, token, amount: taken };
    return taken === held ? [post] : [post, release(hold.accountId, { token, amount: held - taken })];
  });

/** Gives the money of a hold back. */
export const holdVoided = (hold: { accountId: string; holdId: string }): Intent =>
  ended('hold.voided', hold, inputHash('void'), (open) => [release(hold.accountId, open)]);

/** Gives the money of a hold back because its time is over. */
export const holdExpired = (hold: { accountId: string; holdId: string }): Intent =>
  ended('hold.expired', hold, inputHash('expire'), (open) => [release(hold.accountId, open)]);
