import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AccountSchema, AccountStatus, TokenBlockReason, type TokenBlockSchema } from '@florin/proto/ledger/v1/account';
import { type DepositSchema, DepositStatus, type WithdrawalSchema, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { createWords, stated } from '@florin/rpc/contract';
import { type Account, safeOwnerOf } from '../domain/account.ts';
import type { Movement, DepositStatus as StoredDepositStatus, WithdrawalStatus as StoredWithdrawalStatus } from '../domain/movement.ts';
import type { TokenBlock } from '../domain/token-block.ts';

const ACCOUNT_STATUSES = createWords(AccountStatus);
export const BLOCK_REASONS = createWords(TokenBlockReason);
const DEPOSIT_STATUSES = createWords(DepositStatus);
const WITHDRAWAL_STATUSES = createWords(WithdrawalStatus);

/** The status of a wire value. @throws Error for a value that the contract excludes */
export const fromWireDepositStatus = (wire: DepositStatus) => stated(DEPOSIT_STATUSES.toWord(wire));
export const fromWireWithdrawalStatus = (wire: WithdrawalStatus) => stated(WITHDRAWAL_STATUSES.toWord(wire));

export const toWireStatus = (status: Account['status']): AccountStatus => ACCOUNT_STATUSES.toValue(status);

export const toWireTokenBlock = ({ token, reason, since }: TokenBlock): MessageInitShape<typeof TokenBlockSchema> => ({
  token,
  reason: BLOCK_REASONS.toValue(reason),
  since: timestampFromDate(since),
});

/** @param tokenBlocks tokens that the account cannot spend, for those who read it */
export const toWireAccount = (account: Account, tokenBlocks: readonly TokenBlock[] = []): MessageInitShape<typeof AccountSchema> => {
  const {
    createdAt,
    updatedAt,
    provisionedAt,
    closedAt,
    approvedAt,
    safeOwnerRevokedAt,
    safeHistoryDiffersAt,
    status,
    additionalCurrencies,
    ...rest
  } = account;
  return {
    ...rest,
    safeOwnerAddress: safeOwnerOf(account),
    safeFirstOwnerAddress: account.safeOwnerAddress,
    additionalCurrencies: [...additionalCurrencies],
    status: toWireStatus(status),
    approved: approvedAt !== undefined || provisionedAt !== undefined,
    safeOwnerRevoked: safeOwnerRevokedAt !== undefined,
    safeHistoryDiffers: safeHistoryDiffersAt !== undefined,
    tokenBlocks: tokenBlocks.map(toWireTokenBlock),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(provisionedAt === undefined ? {} : { provisionedAt: timestampFromDate(provisionedAt) }),
    ...(closedAt === undefined ? {} : { closedAt: timestampFromDate(closedAt) }),
  };
};

const common = ({ id, accountId, txHash, token, amount, decimals, currency, createdAt }: Movement) => ({
  id,
  accountId,
  txHash,
  token,
  amount,
  decimals,
  currency,
  createdAt: timestampFromDate(createdAt),
});

/** The times that are known, as wire values. */
const timesOf = <K extends string>(times: Record<K, Date | undefined>) =>
  Object.fromEntries(
    Object.entries<Date | undefined>(times).flatMap(([name, time]) => (time === undefined ? [] : [[name, timestampFromDate(time)]])),
  ) as { [key in K]?: Timestamp };

/** A list's rows have that list's states: both come from the same kind of entry. */
export const toWireDeposit = (movement: Movement): MessageInitShape<typeof DepositSchema> => ({
  ...common(movement),
  logIndex: movement.logIndex,
  fromAddress: movement.from ?? '',
  status: DEPOSIT_STATUSES.toValue(movement.status as StoredDepositStatus),
  ...(movement.kyt === undefined ? {} : { kytBreakdown: movement.kyt }),
  ...timesOf({ resolvedAt: movement.resolvedAt, reversedAt: movement.reversedAt }),
  resolvedBy: movement.resolvedBy ?? '',
});

export const toWireWithdrawal = (movement: Movement): MessageInitShape<typeof WithdrawalSchema> => ({
  ...common(movement),
  toAddress: movement.to ?? '',
  ...timesOf({ processingAt: movement.processingAt, endedAt: movement.endedAt }),
  reason: movement.reason ?? '',
  status: WITHDRAWAL_STATUSES.toValue(movement.status as StoredWithdrawalStatus),
});
