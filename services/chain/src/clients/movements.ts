import { type Deposit, DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { type SafeTransfer, transferId } from '../domain/transfer.ts';

const TIMEOUT_MS = 10_000;

/** Codes by which the ledger refuses a transfer itself: a repeat changes nothing until somebody does. */
const REFUSALS: readonly ErrorCode[] = [
  'DEPOSIT_REVERSED',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_CLOSED',
  'TOKEN_NOT_SUPPORTED',
  'AMOUNT_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'WITHDRAWAL_STATE_CONFLICT',
];

/** Deposits and withdrawals in the ledger. Repeating a call changes nothing. */
export type MovementsClient = {
  /**
   * Books a transfer that has happened: as a deposit, which the ledger screens, or as a forced withdrawal.
   * @returns the code by which the ledger refuses it; undefined when it is booked. DEPOSIT_REVERSED: it was booked, has vanished and been taken back,
   * and is there again
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  book: (transfer: SafeTransfer) => Promise<ErrorCode | undefined>;
  /**
   * Takes back the deposit of a transfer to a Safe that has vanished, in every state of the account; the shortfall becomes debt.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, INTERNAL_ERROR (it was never booked)
   */
  reverse: (transfer: SafeTransfer, order: { actor: string; reason: string }) => Promise<void>;
};

export const createMovementsClient = (channel: RpcChannel): MovementsClient => {
  const client = channel.client(MovementService);
  const options = { timeoutMs: TIMEOUT_MS };

  const record = async ({ amount, counterparty: fromAddress, ...transfer }: SafeTransfer): Promise<Deposit | undefined> => {
    const { accountId, chainId, txHash, logIndex, token } = transfer;
    const report = { accountId, chainId, txHash, logIndex, token, amount: amount.toString(), fromAddress };
    return (await client.recordDeposit(report, options)).deposit;
  };

  const deposit = async (transfer: SafeTransfer): Promise<void> => {
    if ((await record(transfer))?.status === DepositStatus.REVERSED) throw new CodedError('DEPOSIT_REVERSED');
  };

  const leave = async (transfer: SafeTransfer): Promise<void> => {
    const { accountId, token, amount, txHash, counterparty: toAddress } = transfer;
    const withdrawalId = transferId(transfer);
    const metadata = { actor: 'chain', reason: 'The money left the Safe without the platform.' };
    await client.createWithdrawal(
      { withdrawalId, accountId, token, amount: amount.toString(), txHash, toAddress, forced: true, metadata },
      options,
    );
    await client.updateWithdrawal({ withdrawalId, status: WithdrawalStatus.COMPLETED, txHash }, options);
  };

  return {
    book: async (transfer) => {
      try {
        await (transfer.direction === 'in' ? deposit(transfer) : leave(transfer));
        return undefined;
      } catch (error) {
        if (error instanceof CodedError && REFUSALS.includes(error.code)) return error.code;
        throw error;
      }
    },
    reverse: async (transfer, metadata) => {
      // Recorded again, it is returned as it is: the ledger knows its id.
      const { id: depositId = '' } = (await record(transfer)) ?? {};
      await client.reverseDeposit({ depositId, metadata }, options);
    },
  };
};
