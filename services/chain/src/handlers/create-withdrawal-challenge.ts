import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { predictDelayModule } from '@florin/evm/safe';
import type { CreateWithdrawalChallengeRequest } from '@florin/proto/chain/v1/withdrawal_service';
import { findToken } from '@florin/rpc/assets';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { getAddress, isAddress, zeroAddress } from 'viem';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';
import { toWireTransaction } from './to-wire-safe.ts';

const AMOUNT = /^[1-9][0-9]{0,59}$/;

const recipientProblem = (text: string): string | undefined => {
  if (!isAddress(text)) return 'must be an EVM address, with the right checksum if it has mixed case (EIP-55)';
  return text === zeroAddress ? 'must not be the zero address' : undefined;
};

/** Freezes a withdrawal for the caller to sign. */
export const createWithdrawalChallenge = ({ keeper, accounts, entries, cursors, assets }: Dependencies) =>
  userMethod(async (request: CreateWithdrawalChallengeRequest, { caller: { userId } }) => {
    const { token: symbol, amount } = request;
    requireFields({ recipient: recipientProblem(request.recipient) });
    const recipient = getAddress(request.recipient);
    const { account, parties, delay, stored, withdrawals } = await requireOwnSafe({ keeper, accounts }, userId);
    const token = findToken(assets, symbol, account.chainId);
    if (token?.address === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
    if (!AMOUNT.test(amount)) throw new CodedError('AMOUNT_INVALID');
    // A transfer to oneself moves nothing: no event of it would end the withdrawal. The module and tokens return nothing.
    const dead = [parties.safe, predictDelayModule(parties.safe, delay), ...assets.tokens.map(({ address }) => address)];
    if (dead.some((address) => address?.toLowerCase() === recipient.toLowerCase()))
      throw new CodedError('VALIDATION_FAILED', {
        message: 'recipient: must not be the Safe itself, its Delay module or the contract of a token',
      });
    if (!account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    if (stored?.status !== 'verified') throw new CodedError('SAFE_NOT_VERIFIED');

    if ((await cursors.find(account.chainId))?.haltedAt !== undefined) throw new CodedError('CHAIN_HALTED');
    // Nothing is set aside yet: SubmitWithdrawal decides. But nobody should sign in vain.
    if ((await entries.available(account.id, symbol)) < BigInt(amount)) throw new CodedError('INSUFFICIENT_FUNDS');

    const order = {
      userId,
      parties,
      inspectedBlock: stored.inspectedBlock,
      token: { ...token, address: getAddress(token.address) },
      amount: BigInt(amount),
      recipient,
    };
    const { id: withdrawalId, transaction, expiresAt } = await onNodes(withdrawals.offer(order));
    return { withdrawalId, transaction: toWireTransaction(transaction), expiresAt: timestampFromDate(expiresAt) };
  });
