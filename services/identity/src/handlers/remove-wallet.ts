import type { RemoveWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';

/**
 */
export const removeWallet = ({ removeWalletFrom, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: RemoveWalletRequest, { caller }) => {
    const { address } = request;
    const { user, wallet } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    await removeWalletFrom(user, address, wallet);
    notices.kick();
    return {};
  });
