import type { ErrorCode } from '@florin/kit/errors';
import type { Amount } from '@florin/kit/money';
import type { Token } from './assets.ts';
import type { Intent } from './draft-block.ts';
import { inputHash } from './input-hash.ts';
import { chainAccount, userAccount } from './ledger-account.ts';
import type { Movement, MovementStatus } from './movement.ts';

export type WithdrawalOrder = {
  /** Caller-chosen UUID. */
  id: string;
  accountId: string;
  token: Token;
  amount: Amount;
  /** 0x and 64 hex digits, lower case. */
  txHash: string;
};

/** Reserves money for a withdrawal. `refuseNew` says why the account may not start one now; a repeat is answered all the same. */
export const withdrawalCreated = (order: WithdrawalOrder, refuseNew: ErrorCode | undefined): Intent => {
  const { id, accountId, token, amount, txHash } = order;
  const { symbol } = token;
  return {
    refuseNew,
    entry: {
      id: `withdrawal/${id}/created`,
      kind: 'withdrawal.created',
      accountId,
      inputHash: inputHash(accountId, symbol, amount.toString(), txHash),
      transfers: [
        {
          debit: userAccount(accountId, symbol, 'available'),
          credit: userAccount(accountId, symbol, 'outgoing'),
          token: symbol,
          amount,
        },
      ],
      data: {
        movementId: id,
        txHash,
        token: symbol,
        amount: amount.toString(),
        decimals: token.decimals.toString(),
        currency: token.currency,
      },
    },
  };
};

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
  const base = { accountId, inputHash: inputHash(target), data: { movementId: id } };
  if (target === 'processing') {
    return {
      excludedBy: { id: endedId(id), code: 'WITHDRAWAL_STATE_CONFLICT' },
      entry: { ...base, id: `withdrawal/${id}/processing`, kind: 'withdrawal.processing', transfers: [] },
    };
  }
  const credit = target === 'completed' ? chainAccount(token) : userAccount(accountId, token, 'available');
  return {
    entry: {
      ...base,
      id: endedId(id),
      kind: `withdrawal.${target}`,
      transfers: [{ debit: userAccount(accountId, token, 'outgoing'), credit, token, amount: BigInt(withdrawal.amount) }],
    },
  };
};
