import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { z } from 'zod';
import { amount, currency, dateTime, decimals, id, toIso, token, toWord, txHash } from './fields.ts';

const KIND = {
  [StatementLineKind.DEPOSIT]: 'deposit',
  [StatementLineKind.WITHDRAWAL]: 'withdrawal',
  [StatementLineKind.CARD_PAYMENT]: 'card_payment',
  [StatementLineKind.TRANSFER]: 'transfer',
  [StatementLineKind.REVERSAL]: 'reversal',
} as const;

/** A signed integer in the token's smallest unit. */
const signedAmount = z.string().regex(/^(?:0|-?[1-9]\d*)$/);

export const statementLine = z
  .object({
    id,
    kind: z.enum(Object.values(KIND)),
    reference: id.meta({
      description: 'UUID of the deposit, withdrawal, hold or entry that the line was booked for; of a reversal, of what it reverses',
    }),
    cardTransactionId: id.optional().meta({ description: 'The card transaction that the line belongs to' }),
    txHash: txHash.optional().meta({ description: 'Transaction hash; present on deposits and withdrawals' }),
    token,
    decimals,
    currency,
    amount: signedAmount.meta({
      description: "Signed integer in the token's smallest unit; negative when the account was debited",
      examples: ['-1250'],
    }),
    balanceAfter: signedAmount.meta({
      description: "Booked balance of the token after this line (ISO 20022), in the token's smallest unit; negative when the account owes",
      examples: ['8750'],
    }),
    debtRepaid: amount.optional().meta({ description: 'Part of the amount that repaid debt; absent when none did' }),
    debtIncurred: amount.optional().meta({ description: 'Part of the amount that was not covered and became debt; absent when none did' }),
    createdAt: dateTime,
  })
  .meta({ id: 'StatementLine' });

/** @param cardTransactions ids of card transactions by reference */
export const toStatementLine = (
  wire: StatementLine,
  cardTransactions: Readonly<Record<string, string>> = {},
): z.output<typeof statementLine> => ({
  id: wire.id,
  kind: toWord(KIND, wire.kind),
  reference: wire.reference,
  ...(cardTransactions[wire.reference] === undefined ? {} : { cardTransactionId: cardTransactions[wire.reference] }),
  ...(wire.txHash === '' ? {} : { txHash: wire.txHash }),
  token: wire.token,
  decimals: wire.decimals,
  currency: wire.currency,
  amount: wire.amount,
  balanceAfter: wire.balanceAfter,
  ...(wire.debtRepaid === '0' || wire.debtRepaid === '' ? {} : { debtRepaid: wire.debtRepaid }),
  ...(wire.debtIncurred === '0' || wire.debtIncurred === '' ? {} : { debtIncurred: wire.debtIncurred }),
  createdAt: toIso(wire.createdAt),
});
