import type { AddWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { walletOf } from '../domain/wallet-rules.ts';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';
import { requireUser } from './require-user.ts';
import { toWireWallet } from './to-wire.ts';

const requestSchema = z.object({ ...signedMessageShape, approval: signedMessageShape.signature });

/**
 * Adds a wallet. Both signatures are checked before either is used up; each is then tied to this addition, so that a killed call can be
 * repeated and nothing else can be done with them.
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED, INVALID_SIGNATURE, INVALID_APPROVAL, WALLET_COOLING, NONCE_EXPIRED, NONCE_USED,
 * DOMAIN_NOT_ALLOWED, WALLET_IN_USE, WALLET_LIMIT_REACHED, SERVICE_UNAVAILABLE, USER_NOT_FOUND, VALIDATION_FAILED
 */
export const addWallet = ({ proveWallet, approvals, addWalletTo, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const { approval, ...signed } = parseRequest(requestSchema, request);
    const { userId, partnerId } = caller;
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const { wallet, isCompleted, complete, nonce } = await proveWallet(signed, {
      purpose: 'add_wallet',
      name: `add-wallet:${userId}`,
      check: ({ partner }) => {
        if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
      },
    });
    if (!isCompleted) {
      const approved = await approvals.verify({ user, change: 'add', wallet, approval, use: nonce });
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
