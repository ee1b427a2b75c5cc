import type { MakeWalletPrimaryRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { walletOf } from '../domain/wallet-rules.ts';
import type { Dependencies } from './dependencies.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';
import { requireUser } from './require-user.ts';
import { toWireWallet } from './to-wire.ts';

export const makeWalletPrimary = ({ approvals, makePrimary, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: MakeWalletPrimaryRequest, { caller }) => {
    const { approval } = request;
    const wallet = getAddress(request.wallet.toLowerCase());
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const listed = walletOf(user, wallet);
    if (listed === undefined) throw new CodedError('NOT_FOUND');
    if (!listed.primary) {
      const approvable = { change: 'make_primary', wallet } as const;
      const verified = await approvals.verify({ user, approvable, approval, use: 'make-primary', by: wallet }).catch(
        // A repeat at the same time may have made the change meanwhile, and with that have used the approval up.
        async (error: unknown) => {
          if (walletOf(requireUser(await users.find(user.id)), wallet)?.primary === true) return undefined;
          throw error;
        },
      );
      if (verified !== undefined) {
        await makePrimary(user, wallet);
        await verified.complete();
        notices.kick();
      }
    }
    return { wallet: toWireWallet({ ...listed, primary: true }, user) };
  });
