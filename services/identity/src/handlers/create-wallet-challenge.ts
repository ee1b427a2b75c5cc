import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toWireTypedMessage } from '@florin/evm/typed-messages';
import { type CreateWalletChallengeRequest, WalletChange as WireChange } from '@florin/proto/identity/v1/wallet_service';
import { userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { Dependencies } from './dependencies.ts';
import { requireOwnWallet } from './require-own-wallet.ts';

export const createWalletChallenge = ({ users, approvals }: Dependencies) =>
  userMethod(async (request: CreateWalletChallengeRequest, { caller }) => {
    const wallet = getAddress(request.wallet.toLowerCase());
    const change = request.change === WireChange.ADD ? 'add' : 'make_primary';
    await requireOwnWallet({ users }, caller);
    const { userId, partnerId } = caller;
    const issued = await approvals.issue({ change, userId, wallet, partnerId });
    return { typedData: toWireTypedMessage(issued.typedData), expiresAt: timestampFromDate(issued.expiresAt) };
  });
