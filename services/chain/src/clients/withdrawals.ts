import type { Hex } from '@florin/evm/hex';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
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
  'TOKEN_BLOCKED',
  'SAFE_NOT_VERIFIED',
];

/** A deposit that screening rejected, whose money is in the Safe. */
export type RejectedDeposit = { txHash: Hex; logIndex: number; token: string; amount: Amount };

/** The screening of a withdrawal, which decides about the platform's signature. */
export type WithdrawalScreening = {
  /** False if screening does not accept the recipient. */
  acceptsRecipient: boolean;
  rejected: RejectedDeposit[];
};

/** Withdrawals in the ledger, under the same ids. Repeating a call changes nothing. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export type WithdrawalsClient = {
  /** Sets the money aside. @returns the code by which the ledger refuses */
  reserve: (withdrawal: SafeWithdrawal) => Promise<ErrorCode | undefined>;
  /** Screens the recipient of one that was set aside, and returns the account's rejected deposits from amounts on, by symbol. */
  screen: (withdrawalId: string, leastAmounts: ReadonlyMap<string, Amount>) => Promise<WithdrawalScreening>;
  /** Records that it is on its way. */
  process: (withdrawalId: string) => Promise<void>;
  /** Records that it has arrived. */
  complete: (withdrawalId: string, txHash: Hex) => Promise<void>;
  /** Gives the money back, if any was set aside. @param reason code by which it has failed */
  fail: (withdrawalId: string, reason: string) => Promise<void>;
};

export const createWithdrawalsClient = (channel: RpcChannel): WithdrawalsClient => {
  const client = channel.client(MovementService);
  const options = { timeoutMs: TIMEOUT_MS };
  const update = async (withdrawalId: string, status: WithdrawalStatus, txHash = ''): Promise<void> => {
    await client.updateWithdrawal({ withdrawalId, status, txHash }, options);
  };
  return {
    reserve: async ({ id: withdrawalId, accountId, token, amount, recipient: toAddress, successorAccountId }) => {
      const toSuccessor = successorAccountId !== undefined;
      const request = { withdrawalId, accountId, token, amount: amount.toString(), toAddress, toSuccessor };
      try {
        await client.createWithdrawal(request, options);
        return undefined;
      } catch (error) {
        if (error instanceof CodedError && REFUSALS.includes(error.code)) return error.code;
        throw error;
      }
    },
    screen: async (withdrawalId, least) => {
      const leastAmounts = Object.fromEntries([...least].map(([token, amount]) => [token, amount.toString()]));
      const { recipient, rejectedDeposits } = await client.screenWithdrawal({ withdrawalId, leastAmounts }, options);
      return {
        // Without a verdict there is no screener. One that is under review is not accepted yet.
        acceptsRecipient: recipient === undefined || recipient.result === 'approve',
        rejected: rejectedDeposits.map(({ txHash, logIndex, token, amount }) => ({
          txHash: txHash as Hex,
          logIndex,
          token,
          amount: BigInt(amount),
        })),
      };
    },
    process: (withdrawalId) => update(withdrawalId, WithdrawalStatus.PROCESSING),
    complete: (withdrawalId, txHash) => update(withdrawalId, WithdrawalStatus.COMPLETED, txHash),
    fail: async (withdrawalId, reason) => {
      const failed = client.updateWithdrawal({ withdrawalId, status: WithdrawalStatus.FAILED, reason }, options);
      await undefinedOn('WITHDRAWAL_NOT_FOUND', failed);
    },
  };
};
