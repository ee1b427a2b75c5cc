import type { AccountStatus } from './account.ts';
import { dustOf, type MinorUnits } from './account-state.ts';
import { type Intent, intentOf } from './draft-block.ts';
import type { EntryKind } from './entry.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';

/**
 * Changes of an account's state are entries of the journal, because only there a block and a payment, or a close and a deposit, that
 * race are ordered. The account's record follows as a projection.
 */
const changed = (kind: EntryKind, accountId: string, id: string): Intent =>
  intentOf({ id, kind, accountId, inputHash: inputHash(), transfers: [], data: {} });

/** If the account is open but its opening entry is unknown, the balances are newer than the tail; such a draft loses the race. */
export const accountOpened = (accountId: string): Intent => {
  const intent = changed('account.opened', accountId, `account/${accountId}/opened`);
  return {
    ...intent,
    propose: (state, at) => (state.account(accountId) === undefined ? intent.propose(state, at) : 'ACCOUNT_STATE_CONFLICT'),
  };
};

export const accountActivated = (accountId: string): Intent => changed('account.activated', accountId, `account/${accountId}/activated`);

/** May happen repeatedly: `changeId` distinguishes the times. */
export const accountBlocked = (accountId: string, changeId: string): Intent =>
  changed('account.blocked', accountId, `account/${accountId}/blocked/${changeId}`);

export const accountUnblocked = (accountId: string, changeId: string): Intent =>
  changed('account.unblocked', accountId, `account/${accountId}/unblocked/${changeId}`);

/**
 * Closes an account in which the user has no money. Money that was spent by card and is still in the Safe (`settling`) is the operator's, who collects it
 * afterwards; dust becomes a fee, so that a stranger's smallest unit keeps nobody from leaving, and no part of a minor unit counts as spent by card. The first of a close and a
 * deposit makes the other one impossible (ACCOUNT_CLOSED, ACCOUNT_NOT_EMPTY).
 */
export const accountClosed = (accountId: string, minorUnitOf: MinorUnits): Intent => {
  const intent = changed('account.closed', accountId, `account/${accountId}/closed`);
  return {
    ...intent,
    propose: (state, at) => {
      const proposal = intent.propose(state, at);
      const account = state.account(accountId);
      if (typeof proposal === 'string' || account === undefined) return proposal;
      const sides = { debit: userAccount(accountId, 'available'), credit: 'fees' };
      return { ...proposal, transfers: dustOf(account, minorUnitOf).map(([token, amount]) => ({ ...sides, token, amount })) };
    },
  };
};

/** Status that a kind of entry leads to; undefined when it is about something else. */
export const statusAfter = (kind: EntryKind): AccountStatus | undefined => {
  switch (kind) {
    case 'account.opened':
      return 'provisioning';
    case 'account.activated':
    case 'account.unblocked':
      return 'active';
    case 'account.blocked':
      return 'blocked';
    case 'account.closed':
      return 'closed';
    default:
      return undefined;
  }
};
