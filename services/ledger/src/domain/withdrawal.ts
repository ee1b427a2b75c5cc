import type { Amount } from '@florin/rpc/money';
import type { Token } from './assets.ts';
import { type Intent, intentOf } from './draft-block.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';
import { type Movement, type MovementStatus, statementFacts } from './movement.ts';

export type WithdrawalOrder = {
  /** Caller-chosen UUID. */
  id: string;
  accountId: string;
  token: Token;
  amount: Amount;
  /** 0x and 64 hex digits, lower case. */
  txHash: string;
};

/** Reserves money for a withdrawal. */
export const withdrawalCreated = ({ id, accountId, token, amount, txHash }: WithdrawalOrder): Intent =>
  intentOf({
    id: `withdrawal/${id}/created`,
    kind: 'withdrawal.created',
    accountId,
    inputHash: inputHash(accountId, token.symbol, amount.toString(), txHash),
    transfers: [{ debit: userAccount(accountId, 'available'), credit: userAccount(accountId, 'outgoing'), token: token.symbol, amount }],
    data: {
      movementId: id,
      txHash,
      token: token.symbol,
      amount: amount.toString(),
      decimals: token.decimals.toString(),
      currency: token.currency,
    },
  });

export type WithdrawalTarget = 'processing' | 'completed' | 'failed';

/**
 * What a report of `target` means for a withdrawal in state `current`: there is something to book, the report says what is known
 * already (the state itself, or one that lies on the way to it), or another end stands. A late `processing` about a failed
 * withdrawal is left to the journal: it knows whether this is a repeat, or news that money left after all.
 */
export const judgeReport = (current: MovementStatus, target: WithdrawalTarget): 'book' | 'known' | 'conflict' => {
  if (current === target) return 'known';
  if (target === 'processing') return current === 'completed' ? 'known' : 'book';
  return current === 'pending' || current === 'processing' ? 'book' : 'conflict';
};

const endedId = (id: string): string => `withdrawal/${id}/ended`;

/** Moves a withdrawal on. Both ends have the same entry id, so that one of them stands; processing moves no money. */
export const withdrawalReported = (withdrawal: Movement, target: WithdrawalTarget): Intent => {
  const { id, accountId, token } = withdrawal;
  const base = { accountId, inputHash: inputHash(target) };
  if (target === 'processing') {
    return {
      ...intentOf({ ...base, data: { movementId: id }, id: `withdrawal/${id}/processing`, kind: 'withdrawal.processing', transfers: [] }),
      excludedBy: { id: endedId(id), code: 'WITHDRAWAL_STATE_CONFLICT' },
    };
  }
  const credit = target === 'completed' ? 'chain' : userAccount(accountId, 'available');
  return intentOf({
    ...base,
    data: { movementId: id, ...statementFacts(withdrawal) },
    id: endedId(id),
    kind: `withdrawal.${target}`,
    transfers: [{ debit: userAccount(accountId, 'outgoing'), credit, token, amount: BigInt(withdrawal.amount) }],
  });
};
