import {
  DepositStatus,
  type Deposit as WireDeposit,
  type Withdrawal as WireWithdrawal,
  WithdrawalStatus,
} from '@florin/proto/ledger/v1/movement';
import { z } from 'zod';
import { amount, currency, dateTime, decimals, id, toIso, token, toWord, txHash } from './fields.ts';

const DEPOSIT_STATUS = {
  [DepositStatus.PENDING]: 'pending',
  [DepositStatus.APPROVED]: 'approved',
  [DepositStatus.REJECTED]: 'rejected',
  // The spec has three words; a deposit that vanished from the chain counts for as little as a rejected one.
  [DepositStatus.REVERSED]: 'rejected',
} as const;

const WITHDRAWAL_STATUS = {
  [WithdrawalStatus.PENDING]: 'pending',
  [WithdrawalStatus.PROCESSING]: 'processing',
  [WithdrawalStatus.COMPLETED]: 'completed',
  [WithdrawalStatus.FAILED]: 'failed',
} as const;

const movement = z.object({
  id,
  txHash,
  amount: amount.meta({ description: "Integer in the token's smallest unit" }),
  currency,
  token,
  decimals,
  createdAt: dateTime,
});

/** Section 2.7 of the specification; `id`, `token`, `decimals` and `from` are additions. */
export const deposit = movement
  .extend({
    from: z.string().optional().meta({ description: 'Address that sent it; absent where it is not known' }),
    status: z.enum(['pending', 'approved', 'rejected']),
    kytBreakdown: z
      .object({ result: z.string(), riskScore: z.int(), riskTier: z.string() })
      .optional()
      .meta({ description: 'Result of the transaction screening; present once the deposit was screened' }),
  })
  .meta({ id: 'Deposit' });

/** Section 2.8 of the specification; `id`, `token`, `decimals` and `to` are additions. */
export const withdrawal = movement
  .extend({
    txHash: txHash.optional().meta({ description: 'Absent until the transaction is known' }),
    to: z.string().optional().meta({ description: 'Address that receives it; absent where it was not given' }),
    status: z.enum(Object.values(WITHDRAWAL_STATUS)),
  })
  .meta({ id: 'Withdrawal' });

const toMovement = (wire: WireDeposit | WireWithdrawal): z.output<typeof movement> => ({
  id: wire.id,
  txHash: wire.txHash,
  amount: wire.amount,
  currency: wire.currency,
  token: wire.token,
  decimals: wire.decimals,
  createdAt: toIso(wire.createdAt),
});

export const toDeposit = (wire: WireDeposit): z.output<typeof deposit> => {
  const { kytBreakdown: kyt } = wire;
  return {
    ...toMovement(wire),
    ...(wire.fromAddress === '' ? {} : { from: wire.fromAddress }),
    status: toWord(DEPOSIT_STATUS, wire.status),
    ...(kyt === undefined ? {} : { kytBreakdown: { result: kyt.result, riskScore: kyt.riskScore, riskTier: kyt.riskTier } }),
  };
};

export const toWithdrawal = (wire: WireWithdrawal): z.output<typeof withdrawal> => {
  const { txHash: hash, ...rest } = toMovement(wire);
  return {
    ...rest,
    ...(hash === '' ? {} : { txHash: hash }),
    ...(wire.toAddress === '' ? {} : { to: wire.toAddress }),
    status: toWord(WITHDRAWAL_STATUS, wire.status),
  };
};
