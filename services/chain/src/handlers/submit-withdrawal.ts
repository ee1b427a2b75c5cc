import { safeTransactionHash } from '@florin/evm/safe';
import { canonicalSignature, recoverSigner } from '@florin/evm/signatures';
import { SubmittedStatus, type SubmitWithdrawalRequest } from '@florin/proto/chain/v1/withdrawal_service';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { type WithdrawalStatus, withdrawalTransaction } from '../domain/withdrawal.ts';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';

const STATUS: Partial<Record<WithdrawalStatus, SubmittedStatus>> = {
  completed: SubmittedStatus.COMPLETED,
  failed: SubmittedStatus.FAILED,
  refused: SubmittedStatus.FAILED,
};

/** Carries out a withdrawal that the caller has signed. */
export const submitWithdrawal = ({ keeper, accounts, assets }: Dependencies) =>
  userMethod(async (request: SubmitWithdrawalRequest, { caller: { userId } }) => {
    const { withdrawalId, signature: text } = request;
    const { account, parties, withdrawals } = await requireOwnSafe({ keeper, accounts }, userId);
    const withdrawal = await withdrawals.find(withdrawalId);
    if (withdrawal === undefined || withdrawal.userId !== userId) throw new CodedError('WITHDRAWAL_NOT_FOUND');
    // The transfer of what the ledger is about to set aside, to its recipient: that is what must be signed, and what will be sent.
    const token = findToken(assets, withdrawal.token, account.chainId)?.address;
    const { chainId, nonce } = withdrawal.transaction;
    const place = { chainId, safe: parties.safe, nonce };
    const expected =
      token === undefined
        ? undefined
        : withdrawalTransaction({ ...place, token: getAddress(token), recipient: withdrawal.recipient, amount: withdrawal.amount });
    const digest = safeTransactionHash(withdrawal.transaction);
    const signature = canonicalSignature(text);
    if (expected === undefined || safeTransactionHash(expected) !== digest || signature === undefined)
      throw new CodedError('INVALID_SIGNATURE');
    if ((await recoverSigner(digest, signature)) !== withdrawal.owner) throw new CodedError('INVALID_SIGNATURE');
    const { status } = await onNodes(withdrawals.submit(withdrawal, signature));
    return { withdrawalId, status: STATUS[status] ?? SubmittedStatus.PROCESSING };
  });
