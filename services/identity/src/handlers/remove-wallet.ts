import type { RemoveWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { Dependencies } from './dependencies.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';

/** Removes a wallet with the signature of a wallet of the user; one that is cooling removes itself alone. */
export const removeWallet = ({ approvals, removeWalletFrom, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: RemoveWalletRequest, { caller }) => {
    const { approval } = request;
    const address = getAddress(request.address.toLowerCase());
    const { user, wallet } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const approvable = { change: 'remove', wallet: address } as const;
    await removeWalletFrom(user, address, wallet, () =>
      approvals.verify({ user, approvable, approval, use: 'remove-wallet', cooling: address }),
    );
    notices.kick();
    return {};
  });
