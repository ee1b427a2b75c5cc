import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toWireTypedMessage } from '@florin/evm/typed-messages';
import { type CreateWalletChallengeRequest, WalletChange as WireChange } from '@florin/proto/identity/v1/wallet_service';
import { stated } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { WalletChange } from '../domain/wallet-approval.ts';
import type { Dependencies } from './dependencies.ts';
import { requireOwnWallet } from './require-own-wallet.ts';

const CHANGE_OF: Readonly<Record<WireChange, WalletChange | undefined>> = {
  [WireChange.UNSPECIFIED]: undefined,
  [WireChange.ADD]: 'add',
  [WireChange.MAKE_PRIMARY]: 'make_primary',
  [WireChange.REMOVE]: 'remove',
};

export const createWalletChallenge = ({ users, approvals }: Dependencies) =>
  userMethod(async (request: CreateWalletChallengeRequest, { caller }) => {
    const approvable = { change: stated(CHANGE_OF[request.change]), wallet: getAddress(request.wallet.toLowerCase()) };
    await requireOwnWallet({ users }, caller);
    const { userId, partnerId } = caller;
    const issued = await approvals.issue({ approvable, userId, partnerId });
    return { typedData: toWireTypedMessage(issued.typedData), expiresAt: timestampFromDate(issued.expiresAt) };
  });
