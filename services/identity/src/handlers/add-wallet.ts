import type { AddWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { walletOf } from '../domain/wallet-rules.ts';
import type { Dependencies } from './dependencies.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';
import { requireUser } from './require-user.ts';
import { toWireWallet } from './to-wire.ts';

/**
 * Adds a wallet. Both signatures are checked before either is used up; each is then tied to this addition, so that a killed call can be
 * repeated and nothing else can be done with them.
 */
export const addWallet = ({ proveWallet, approvals, addWalletTo, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const { message, signature, approval } = request;
    const { userId, partnerId } = caller;
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const { wallet, isCompleted, complete, nonce } = await proveWallet(
      { message, signature },
      {
        purpose: 'add_wallet',
        name: `add-wallet:${userId}`,
        check: ({ partner }) => {
          if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
        },
      },
    );
    if (!isCompleted) {
      const approved = await approvals.verify({ user, approvable: { change: 'add', wallet }, approval, use: nonce });
      const added = await addWalletTo(userId, wallet, approved.address);
      await complete();
      notices.kick();
      return { wallet: toWireWallet(added, user) };
    }
    // A repeat returns the wallet that it added, and never adds one that was removed since. A call at the same time may have added it after
    // the user was read above.
    const current = requireUser(await users.find(userId));
    const listed = walletOf(current, wallet);
    if (listed === undefined) throw new CodedError('NONCE_USED');
    return { wallet: toWireWallet(listed, current) };
  });
