import {
  DepositStatus,
  type Deposit as WireDeposit,
  type Withdrawal as WireWithdrawal,
  WithdrawalStatus,
} from '@florin/proto/ledger/v1/movement';
import { z } from 'zod';
import { amount, currency, currencyInput, dateTime, decimals, id, toIso, token, tokenInput, toWord, txHash } from './fields.ts';
import { pageQuery, toPageRequest } from './page.ts';
import { inOrder, periodQuery, toPeriod } from './period.ts';
import { wordsOf } from './words.ts';

const DEPOSIT_STATUS = {
  [DepositStatus.PENDING]: 'pending',
  [DepositStatus.APPROVED]: 'approved',
  [DepositStatus.REJECTED]: 'rejected',
  // The spec has three words; a deposit that vanished from the chain counts for as little as a rejected one.
  [DepositStatus.REVERSED]: 'rejected',
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

/** The query parameters of both lists besides `status`. */
const movementFilters = pageQuery.extend({
  token: tokenInput.optional(),
  currency: currencyInput.optional().meta({ description: 'Currency of the token' }),
  ...periodQuery.shape,
});

const depositStatus = z.enum(['pending', 'approved', 'rejected']);

const withdrawalStatus = wordsOf(WithdrawalStatus);

export const depositQuery = inOrder(movementFilters.extend({ status: depositStatus.optional() }));
export const withdrawalQuery = inOrder(movementFilters.extend({ status: withdrawalStatus.schema.optional() }));

const toFilter = (query: z.output<typeof movementFilters>) => ({
  token: query.token ?? '',
  currency: query.currency ?? '',
  ...toPeriod(query),
  page: toPageRequest(query),
});

const WIRE_STATUSES: Readonly<Record<z.output<typeof depositStatus>, readonly DepositStatus[]>> = {
  pending: [DepositStatus.PENDING],
  approved: [DepositStatus.APPROVED],
  rejected: [DepositStatus.REJECTED, DepositStatus.REVERSED],
};

export const toDepositQuery = (query: z.output<typeof depositQuery>) => ({
  ...toFilter(query),
  statuses: query.status === undefined ? [] : [...WIRE_STATUSES[query.status]],
});

export const toWithdrawalQuery = (query: z.output<typeof withdrawalQuery>) => ({
  ...toFilter(query),
  statuses: query.status === undefined ? [] : [withdrawalStatus.toValue(query.status)],
});

/** Section 2.7 of the specification; `id`, `token`, `decimals`, `from`, `reason` and the times besides `createdAt` are additions. */
export const deposit = movement
  .extend({
    from: z.string().optional().meta({ description: 'Address that sent it; absent where it is not known' }),
    status: depositStatus,
    resolvedAt: dateTime.optional().meta({ description: 'When it was approved or rejected' }),
    reversedAt: dateTime.optional().meta({ description: 'When it was taken back, because its transfer has vanished from the chain' }),
    reason: z.enum(['SCREENING_REJECTED', 'OPERATOR_REJECTED', 'DEPOSIT_REVERSED']).optional().meta({
      description: 'Why it is `rejected`: by the transaction screening, by a person of the program, or because it was taken back',
    }),
    kytBreakdown: z
      .object({ result: z.string(), riskScore: z.int(), riskTier: z.string() })
      .optional()
      .meta({ description: 'Result of the transaction screening; present once the deposit was screened' }),
  })
  .meta({ id: 'Deposit' });

/** Section 2.8 of the specification; `id`, `token`, `decimals`, `to`, `reason` and the times besides `createdAt` are additions. */
export const withdrawal = movement
  .extend({
    txHash: txHash.optional().meta({ description: 'Absent until the transaction is known' }),
    to: z.string().optional().meta({ description: 'Address that receives it; absent where it was not given' }),
    status: withdrawalStatus.schema,
    processingAt: dateTime.optional().meta({ description: 'When it was sent to the chain; absent if that was skipped' }),
    endedAt: dateTime.optional().meta({ description: 'When it was completed or has failed' }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Why it has failed: a code. New ones may be added.', examples: ['TRANSACTION_FAILED', 'TOKEN_BLOCKED'] }),
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

const reasonOf = ({ status, kytBreakdown }: WireDeposit): z.output<typeof deposit>['reason'] => {
  if (status === DepositStatus.REVERSED) return 'DEPOSIT_REVERSED';
  if (status !== DepositStatus.REJECTED) return undefined;
  return kytBreakdown === undefined ? 'OPERATOR_REJECTED' : 'SCREENING_REJECTED';
};

const timeOf = <K extends string>(name: K, time: WireDeposit['createdAt']) =>
  (time === undefined ? {} : { [name]: toIso(time) }) as { [key in K]?: string };

export const toDeposit = (wire: WireDeposit): z.output<typeof deposit> => {
  const { kytBreakdown: kyt } = wire;
  const reason = reasonOf(wire);
  return {
    ...toMovement(wire),
    ...(wire.fromAddress === '' ? {} : { from: wire.fromAddress }),
    status: toWord(DEPOSIT_STATUS, wire.status),
    ...timeOf('resolvedAt', wire.resolvedAt),
    ...timeOf('reversedAt', wire.reversedAt),
    ...(reason === undefined ? {} : { reason }),
    ...(kyt === undefined ? {} : { kytBreakdown: { result: kyt.result, riskScore: kyt.riskScore, riskTier: kyt.riskTier } }),
  };
};

export const toWithdrawal = (wire: WireWithdrawal): z.output<typeof withdrawal> => {
  const { txHash: hash, ...rest } = toMovement(wire);
  return {
    ...rest,
    ...(hash === '' ? {} : { txHash: hash }),
    ...(wire.toAddress === '' ? {} : { to: wire.toAddress }),
    status: withdrawalStatus.toWord(wire.status),
    ...timeOf('processingAt', wire.processingAt),
    ...timeOf('endedAt', wire.endedAt),
    ...(wire.reason === '' ? {} : { reason: wire.reason }),
  };
};
