import { type ForeignAmount, type Payment, PaymentKind } from '@florin/proto/card/v1/payment';
import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { z } from 'zod';
import { cardMerchant, foreign, toForeignAmount, toMerchant } from './card-transaction.ts';
import { amount, currency, currencyInput, dateTime, decimals, id, toIso, token, tokenInput, toWord, txHash } from './fields.ts';

const KINDS = [
  ...(['deposit', 'withdrawal', 'card_payment', 'card_refund', 'card_credit', 'dispute_credit', 'dispute_reversal'] as const),
  ...(['fee', 'adjustment', 'transfer', 'reversal'] as const),
] as const;
type Kind = (typeof KINDS)[number];

/** Selects lines of a statement. */
export const statementFilters = z.object({
  kind: z.enum(KINDS).optional(),
  token: tokenInput.optional(),
  currency: currencyInput.optional().meta({ description: 'Currency of the token' }),
});

/** Reports whether the filters let a line through. */
export const passesFilters = (
  { kind, token: symbol, currency: code }: z.output<typeof statementFilters>,
  line: z.output<typeof statementLine>,
): boolean =>
  (kind === undefined || line.kind === kind) &&
  (symbol === undefined || line.token === symbol) &&
  (code === undefined || line.currency === code);

/** Kinds of lines that the ledger tells apart; what a transfer is, the other side and the card transaction tell. */
const KIND = {
  [StatementLineKind.DEPOSIT]: 'deposit',
  [StatementLineKind.WITHDRAWAL]: 'withdrawal',
  [StatementLineKind.CARD_PAYMENT]: 'card_payment',
  [StatementLineKind.REVERSAL]: 'reversal',
} as const;

/** A signed integer in the token's smallest unit. */
const signedAmount = z.string().regex(/^(?:0|-?[1-9]\d*)$/);

export const statementLine = z
  .object({
    id,
    kind: z.enum(KINDS).meta({
      description:
        '`card_payment`: taken for a card transaction; `card_refund`, `card_credit`: refunded, or pushed to the card, and negative where that was taken back; `dispute_credit`, `dispute_reversal`: credited for a dispute, and taken back; `fee`: to the program; `adjustment`: booked by the program; `transfer`: from or to another account; `reversal`: an earlier line taken back',
    }),
    reference: id.meta({
      description: 'UUID of the deposit, withdrawal, hold or entry that the line was booked for; of a reversal, of what it reverses',
    }),
    cardTransactionId: id.optional().meta({ description: 'The card transaction that the line belongs to' }),
    merchant: cardMerchant.optional().meta({ description: 'Merchant of the card transaction' }),
    foreign: foreign.optional().meta({
      description: "How the line's amount in another currency was billed, with its mark-up by itself; credits of disputes have none",
    }),
    disputeId: id
      .optional()
      .meta({ description: 'The dispute that the line belongs to; absent where the card transaction has had several' }),
    description: z.string().meta({ description: 'Kind of the line in English, with the merchant', examples: ['Card refund: Bookshop'] }),
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

/** The system accounts on the other side of transfers that have kinds of their own. */
const DISPUTES = 'disputes';
const FEES = 'fees';

const kindOfTransfer = ({ counterparty, amount }: StatementLine, payment: Payment | undefined): Kind => {
  const isDebit = amount.startsWith('-');
  if (counterparty === DISPUTES) return isDebit ? 'dispute_reversal' : 'dispute_credit';
  if (payment?.kind === PaymentKind.CREDIT) return 'card_credit';
  // Payments and corrections are posted; a transfer credits the account, or takes a credit back.
  if (payment !== undefined) return 'card_refund';
  if (counterparty === FEES) return 'fee';
  return counterparty === '' ? 'transfer' : 'adjustment';
};

const kindOf = (line: StatementLine, payment: Payment | undefined): Kind =>
  line.kind === StatementLineKind.TRANSFER ? kindOfTransfer(line, payment) : toWord(KIND, line.kind);

const disputeOf = (kind: Kind, payment: Payment | undefined): { disputeId?: string } => {
  if (payment?.dispute === undefined || !kind.startsWith('dispute_') || payment.earlierDisputes.length > 0) return {};
  return { disputeId: payment.dispute.id };
};

const DESCRIPTIONS: Readonly<Record<Kind, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  card_payment: 'Card payment',
  card_refund: 'Card refund',
  card_credit: 'Card credit',
  dispute_credit: 'Dispute credit',
  dispute_reversal: 'Dispute credit taken back',
  fee: 'Fee',
  adjustment: 'Adjustment',
  transfer: 'Transfer',
  reversal: 'Reversal',
};

const descriptionOf = (kind: Kind, { amount }: StatementLine, payment: Payment | undefined): string => {
  const isTakenBack = amount.startsWith('-') && (kind === 'card_refund' || kind === 'card_credit');
  const what = `${DESCRIPTIONS[kind]}${isTakenBack ? ' taken back' : ''}`;
  const name = payment?.merchant?.name ?? '';
  return name === '' ? what : `${what}: ${name}`;
};

/**
 * @param payment the card transaction that the line belongs to
 * @param foreignAmount the line's amount, if it is in another currency
 */
export const toStatementLine = (
  wire: StatementLine,
  payment: Payment | undefined,
  foreignAmount: ForeignAmount | undefined,
): z.output<typeof statementLine> => {
  const kind = kindOf(wire, payment);
  return {
    id: wire.id,
    kind,
    reference: wire.reference,
    ...(payment === undefined ? {} : { cardTransactionId: payment.id }),
    ...disputeOf(kind, payment),
    description: descriptionOf(kind, wire, payment),
    ...(payment?.merchant === undefined ? {} : { merchant: toMerchant(payment.merchant) }),
    ...(payment === undefined || foreignAmount === undefined ? {} : { foreign: toForeignAmount(foreignAmount, payment.decimals) }),
    ...(wire.txHash === '' ? {} : { txHash: wire.txHash }),
    token: wire.token,
    decimals: wire.decimals,
    currency: wire.currency,
    amount: wire.amount,
    balanceAfter: wire.balanceAfter,
    ...(wire.debtRepaid === '0' || wire.debtRepaid === '' ? {} : { debtRepaid: wire.debtRepaid }),
    ...(wire.debtIncurred === '0' || wire.debtIncurred === '' ? {} : { debtIncurred: wire.debtIncurred }),
    createdAt: toIso(wire.createdAt),
  };
};
