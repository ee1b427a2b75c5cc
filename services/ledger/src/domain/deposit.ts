import type { Token } from '@florin/rpc/assets';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';
import { type Intent, intentOf } from './draft-block.ts';
import { forcedFact } from './entry.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';
import { type Metadata, metadataFacts, NO_METADATA } from './metadata.ts';
import { type Kyt, type Movement, statementFacts } from './movement.ts';

/** The key of a transfer event on a chain. */
export type ChainEvent = {
  chainId: number;
  /** 0x and 64 hex digits, lower case. */
  txHash: string;
  logIndex: number;
};

/** Id of the deposit that a chain event makes. Derived, so that concurrent reports of one event agree on it. */
export const depositIdOf = ({ chainId, txHash, logIndex }: ChainEvent): string =>
  derivedId(`florin/deposit/${chainId}/${txHash}/${logIndex}`);

/**
 * Books a deposit as incoming: it has arrived on chain, but cannot be spent yet. One entry per chain event.
 * @param from EIP-55 address of the sender; empty when it is not known
 */
export const depositSeen = (event: ChainEvent, accountId: string, token: Token, amount: Amount, from = ''): Intent => {
  const { chainId, txHash, logIndex } = event;
  const { symbol } = token;
  return intentOf({
    id: `deposit/${chainId}/${txHash}/${logIndex}/seen`,
    kind: 'deposit.seen',
    accountId,
    inputHash: inputHash(accountId, symbol, amount.toString()),
    transfers: [{ debit: 'chain', credit: userAccount(accountId, 'incoming'), token: symbol, amount }],
    data: {
      movementId: depositIdOf(event),
      chainId: chainId.toString(),
      txHash,
      logIndex: logIndex.toString(),
      token: symbol,
      amount: amount.toString(),
      decimals: token.decimals.toString(),
      currency: token.currency,
      ...(from === '' ? {} : { from }),
    },
  });
};

const resolvedId = (id: string): string => `deposit/${id}/resolved`;

/**
 * Ends the screening of a deposit. Both outcomes share an entry id, so the journal accepts one. Screening details, and who has decided
 * and why, are not part of the content: whoever decides the same once more is told that it is so.
 */
export const depositResolved = (
  deposit: Movement,
  outcome: 'approved' | 'rejected',
  kyt: Kyt | undefined,
  metadata: Metadata = NO_METADATA,
): Intent => {
  const { id, accountId, token } = deposit;
  return intentOf({
    id: resolvedId(id),
    kind: `deposit.${outcome}`,
    accountId,
    inputHash: inputHash(outcome),
    transfers: [
      {
        debit: userAccount(accountId, 'incoming'),
        credit: outcome === 'approved' ? userAccount(accountId, 'available') : 'refused',
        token,
        amount: BigInt(deposit.amount),
      },
    ],
    data: {
      movementId: id,
      ...statementFacts(deposit),
      ...metadataFacts(metadata),
      ...(kyt === undefined ? {} : { kytResult: kyt.result, kytRiskScore: kyt.riskScore.toString(), kytRiskTier: kyt.riskTier }),
    },
  });
};

/**
 * Takes back a deposit whose transfer has vanished from the chain, from wherever its money went. A pending one is resolved by it: the
 * entry has the id that an approval or a rejection would have, so that of the three the journal takes one.
 * @returns undefined when it is reversed already
 */
export const depositReversed = (deposit: Movement, metadata: Metadata): Intent | undefined => {
  const { id, accountId, token, amount, status } = deposit;
  if (status === 'reversed') return undefined;
  const sources: Partial<Record<Movement['status'], string>> = { pending: userAccount(accountId, 'incoming'), rejected: 'refused' };
  return intentOf({
    id: status === 'pending' ? resolvedId(id) : `deposit/${id}/reversed`,
    kind: 'deposit.reversed',
    accountId,
    inputHash: inputHash('reversed'),
    transfers: [{ debit: sources[status] ?? userAccount(accountId, 'available'), credit: 'chain', token, amount: BigInt(amount) }],
    data: { movementId: id, was: status, ...statementFacts(deposit), ...forcedFact(true), ...metadataFacts(metadata) },
  });
};
