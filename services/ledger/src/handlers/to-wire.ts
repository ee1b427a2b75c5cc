import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AccountSchema, AccountStatus, TokenBlockReason, type TokenBlockSchema } from '@florin/proto/ledger/v1/account';
import { type DepositSchema, DepositStatus, type WithdrawalSchema, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import type { Account } from '../domain/account.ts';
import type { Movement } from '../domain/movement.ts';
import type { TokenBlock } from '../domain/token-block.ts';

const ACCOUNT_STATUS = {
  provisioning: AccountStatus.PROVISIONING,
  active: AccountStatus.ACTIVE,
  blocked: AccountStatus.BLOCKED,
  closed: AccountStatus.CLOSED,
} as const;

const MOVEMENT_STATUS = {
  deposit: {
    pending: DepositStatus.PENDING,
    approved: DepositStatus.APPROVED,
    rejected: DepositStatus.REJECTED,
    reversed: DepositStatus.REVERSED,
  },
  withdrawal: {
    pending: WithdrawalStatus.PENDING,
    processing: WithdrawalStatus.PROCESSING,
    completed: WithdrawalStatus.COMPLETED,
    failed: WithdrawalStatus.FAILED,
  },
} as const;

export const toWireStatus = (status: Account['status']): AccountStatus => ACCOUNT_STATUS[status];

const BLOCK_REASON = {
  frozen: TokenBlockReason.FROZEN,
  paused: TokenBlockReason.PAUSED,
  upgraded: TokenBlockReason.UPGRADED,
} as const;

export const toWireTokenBlock = ({ token, reason, since }: TokenBlock): MessageInitShape<typeof TokenBlockSchema> => ({
  token,
  reason: BLOCK_REASON[reason],
  since: timestampFromDate(since),
});

/** @param tokenBlocks tokens that the account cannot spend, for those who read it */
export const toWireAccount = (account: Account, tokenBlocks: readonly TokenBlock[] = []): MessageInitShape<typeof AccountSchema> => {
  const { createdAt, updatedAt, provisionedAt, closedAt, approvedAt, safeOwnerRevokedAt, status, additionalCurrencies, ...rest } = account;
  return {
    ...rest,
    additionalCurrencies: [...additionalCurrencies],
    status: toWireStatus(status),
    approved: approvedAt !== undefined || provisionedAt !== undefined,
    safeOwnerRevoked: safeOwnerRevokedAt !== undefined,
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

/** A list's rows have that list's states: both come from the same kind of entry. */
export const toWireDeposit = (movement: Movement): MessageInitShape<typeof DepositSchema> => ({
  ...common(movement),
  logIndex: movement.logIndex,
  fromAddress: movement.from ?? '',
  status: MOVEMENT_STATUS.deposit[movement.status as keyof typeof MOVEMENT_STATUS.deposit],
  ...(movement.kyt === undefined ? {} : { kytBreakdown: movement.kyt }),
});

export const toWireWithdrawal = (movement: Movement): MessageInitShape<typeof WithdrawalSchema> => ({
  ...common(movement),
  toAddress: movement.to ?? '',
  status: MOVEMENT_STATUS.withdrawal[movement.status as keyof typeof MOVEMENT_STATUS.withdrawal],
});
