import type { Hex } from '@florin/evm/hex';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';

const TIMEOUT_MS = 10_000;

/** Codes by which the ledger refuses to set money aside. */
const REFUSALS: readonly ErrorCode[] = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_NOT_ACTIVE',
  'TOKEN_NOT_SUPPORTED',
  'AMOUNT_INVALID',
  'INSUFFICIENT_FUNDS',
  'CHAIN_HALTED',
];

/** Withdrawals in the ledger, under the same ids. Repeating a call changes nothing. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export type WithdrawalsClient = {
  /** Sets the money aside. @returns the code by which the ledger refuses */
  reserve: (withdrawal: SafeWithdrawal) => Promise<ErrorCode | undefined>;
  /** Records that it is on its way. */
  process: (withdrawalId: string) => Promise<void>;
  /** Records that it has arrived. */
  complete: (withdrawalId: string, txHash: Hex) => Promise<void>;
  /** Gives the money back, if any was set aside. */
  fail: (withdrawalId: string) => Promise<void>;
};

export const createWithdrawalsClient = (channel: RpcChannel): WithdrawalsClient => {
  const client = channel.client(MovementService);
  const options = { timeoutMs: TIMEOUT_MS };
  const update = async (withdrawalId: string, status: WithdrawalStatus, txHash = ''): Promise<void> => {
    await client.updateWithdrawal({ withdrawalId, status, txHash }, options);
  };
  return {
    reserve: async ({ id: withdrawalId, accountId, token, amount, recipient: toAddress }) => {
      const request = { withdrawalId, accountId, token, amount: amount.toString(), toAddress };
      try {
        await client.createWithdrawal(request, options);
        return undefined;
      } catch (error) {
        if (error instanceof CodedError && REFUSALS.includes(error.code)) return error.code;
        throw error;
      }
    },
    process: (withdrawalId) => update(withdrawalId, WithdrawalStatus.PROCESSING),
    complete: (withdrawalId, txHash) => update(withdrawalId, WithdrawalStatus.COMPLETED, txHash),
    fail: async (withdrawalId) => {
      const failed = client.updateWithdrawal({ withdrawalId, status: WithdrawalStatus.FAILED }, options);
      await undefinedOn('WITHDRAWAL_NOT_FOUND', failed);
    },
  };
};
