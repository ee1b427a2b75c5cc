import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { z } from 'zod';
import { amount, currency, dateTime, decimals, id, toIso, token, toWord, txHash } from './fields.ts';

const KIND = {
  [StatementLineKind.DEPOSIT]: 'deposit',
  [StatementLineKind.WITHDRAWAL]: 'withdrawal',
  [StatementLineKind.CARD_PAYMENT]: 'card_payment',
  [StatementLineKind.TRANSFER]: 'transfer',
} as const;

export const statementLine = z
  .object({
    id,
    kind: z.enum(Object.values(KIND)),
    reference: id.meta({ description: 'UUID of the deposit, withdrawal, hold or entry that the line was booked for' }),
    txHash: txHash.optional().meta({ description: 'Transaction hash; present on deposits and withdrawals' }),
    token,
    decimals,
    currency,
    amount: z
      .string()
      .regex(/^(?:0|-?[1-9]\d*)$/)
      .meta({ description: "Signed integer in the token's smallest unit; negative when the account was debited", examples: ['-1250'] }),
    balanceAfter: amount.meta({ description: "Booked balance of the token after this line (ISO 20022), in the token's smallest unit" }),
    createdAt: dateTime,
  })
  .meta({ id: 'StatementLine' });

export const toStatementLine = (wire: StatementLine): z.output<typeof statementLine> => ({
  id: wire.id,
  kind: toWord(KIND, wire.kind),
  reference: wire.reference,
  ...(wire.txHash === '' ? {} : { txHash: wire.txHash }),
  token: wire.token,
  decimals: wire.decimals,
  currency: wire.currency,
  amount: wire.amount,
  balanceAfter: wire.balanceAfter,
  createdAt: toIso(wire.createdAt),
});
