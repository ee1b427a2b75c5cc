import type { Payment } from '@florin/proto/card/v1/payment';
import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { z } from 'zod';
import { cardMerchant, foreign, toForeign, toMerchant } from './card-transaction.ts';
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
    merchant: cardMerchant.optional().meta({ description: 'Merchant of the card transaction' }),
    foreign: foreign
      .optional()
      .meta({ description: 'How the latest amount of a card transaction in another currency was billed, with the mark-up by itself' }),
    purpose: z.enum(['card', 'dispute', 'adjustment']).optional().meta({
      description:
        'Of a transfer: `card`, a refund or correction of a card transaction, or its taking back; `dispute`, the credit of a dispute, or its taking back; `adjustment`, booked by the program',
    }),
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

/** The system account by which the card service credits disputes. */
const DISPUTES = 'disputes';

const purposeOf = (
  { kind, counterparty }: StatementLine,
  payment: Payment | undefined,
): { purpose?: 'card' | 'dispute' | 'adjustment' } => {
  if (kind !== StatementLineKind.TRANSFER) return {};
  return { purpose: counterparty === DISPUTES ? 'dispute' : payment === undefined ? 'adjustment' : 'card' };
};

/** @param payment the card transaction that the line belongs to */
export const toStatementLine = (wire: StatementLine, payment: Payment | undefined): z.output<typeof statementLine> => ({
  id: wire.id,
  kind: toWord(KIND, wire.kind),
  reference: wire.reference,
  ...purposeOf(wire, payment),
  ...(payment === undefined ? {} : { cardTransactionId: payment.id }),
  ...(payment?.merchant === undefined ? {} : { merchant: toMerchant(payment.merchant) }),
  ...toForeign(payment),
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
