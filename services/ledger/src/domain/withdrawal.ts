import type { Token } from '@florin/rpc/assets';
import type { Amount } from '@florin/rpc/money';
import { type Intent, intentOf } from './draft-block.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';
import { metadataText, NO_METADATA } from './metadata.ts';
import { type Movement, type MovementStatus, statementFacts } from './movement.ts';
import { type OrderOptions, optionFacts } from './transfer-order.ts';

export type WithdrawalOrder = OrderOptions & {
  /** Caller-chosen UUID. */
  id: string;
  accountId: string;
  token: Token;
  amount: Amount;
  /** 0x and 64 hex digits, lower case; empty when there is none yet. */
  txHash: string;
  /** EIP-55 address of the receiver; empty when not given. */
  to?: string | undefined;
  /** True if the receiver is the Safe of the account's successor. Default: no. */
  toSuccessor?: boolean | undefined;
};

/** The fields that tell kinds of withdrawals apart, so that none is mistaken for another. */
const further = ({ to = '', forced = false, metadata = NO_METADATA, toSuccessor = false }: WithdrawalOrder): string[] => {
  const fields = [to, forced ? 'forced' : '', metadataText(metadata), ...(toSuccessor ? ['successor'] : [])];
  return fields.every((field) => field === '') ? [] : fields;
};

/** Reserves money for a withdrawal. A forced one takes what is not covered from debt. */
export const withdrawalCreated = (order: WithdrawalOrder): Intent => {
  const { id, accountId, token, amount, txHash, to = '', toSuccessor = false } = order;
  return intentOf({
    id: `withdrawal/${id}/created`,
    kind: 'withdrawal.created',
    accountId,
    inputHash: inputHash(accountId, token.symbol, amount.toString(), txHash, ...further(order)),
    transfers: [{ debit: userAccount(accountId, 'available'), credit: userAccount(accountId, 'outgoing'), token: token.symbol, amount }],
    data: {
      movementId: id,
      txHash,
      token: token.symbol,
      amount: amount.toString(),
      decimals: token.decimals.toString(),
      currency: token.currency,
      ...(to === '' ? {} : { to }),
      ...(toSuccessor ? { toSuccessor: '1' } : {}),
      ...optionFacts(order),
    },
  });
};

export type WithdrawalTarget = 'processing' | 'completed' | 'failed';

/**
 * Judges a report of `target` for a withdrawal in state `current`: something to book, known already (the state itself, or one on the
 * way to it), or in conflict with another end. A late `processing` about a failed withdrawal is left to the journal, which can tell a
 * repeat from news.
 */
export const judgeReport = (current: MovementStatus, target: WithdrawalTarget): 'book' | 'known' | 'conflict' => {
  if (current === target) return 'known';
  if (target === 'processing') return current === 'completed' ? 'known' : 'book';
  return current === 'pending' || current === 'processing' ? 'book' : 'conflict';
};

const endedId = (id: string): string => `withdrawal/${id}/ended`;

/**
 * Moves a withdrawal on. Both ends have the same entry id, so that one of them stands; processing moves no money.
 * @param txHash the transaction that carries it, when the report names one
 * @param failure the code by which it has failed, when the report names one
 */
export const withdrawalReported = (
  withdrawal: Movement,
  target: WithdrawalTarget,
  { txHash = '', failure = '' }: { txHash?: string; failure?: string } = {},
): Intent => {
  const { id, accountId, token, amount } = withdrawal;
  const base = { accountId, inputHash: inputHash(target) };
  const facts = { movementId: id, ...statementFacts(txHash === '' ? withdrawal : { ...withdrawal, txHash }) };
  if (target === 'processing') {
    const data = { ...facts, token, amount };
    return {
      ...intentOf({ ...base, data, id: `withdrawal/${id}/processing`, kind: 'withdrawal.processing', transfers: [] }),
      excludedBy: { id: endedId(id), code: 'WITHDRAWAL_STATE_CONFLICT' },
    };
  }
  const credit = target === 'completed' ? 'chain' : userAccount(accountId, 'available');
  return intentOf({
    ...base,
    data: { ...facts, ...(failure === '' ? {} : { failure }) },
    id: endedId(id),
    kind: `withdrawal.${target}`,
    transfers: [{ debit: userAccount(accountId, 'outgoing'), credit, token, amount: BigInt(amount) }],
  });
};
