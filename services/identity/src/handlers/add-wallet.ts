import type { AddWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { walletOf } from '../domain/wallet-rules.ts';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';

const requestSchema = z.object(signedMessageShape);

/** Adding a wallet requires a recent sign-in, because an access token may be stolen (step-up authentication, RFC 9470). */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

/**
 * @throws CodedError REAUTHENTICATION_REQUIRED, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, WALLET_IN_USE, WALLET_LIMIT_REACHED,
 * SERVICE_UNAVAILABLE, USER_NOT_FOUND, VALIDATION_FAILED
 */
export const addWallet = ({ proveWallet, addWalletTo, sessions, users, runtime }: Dependencies) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const signed = parseRequest(requestSchema, request);
    const { userId, partnerId, sessionId } = caller;
    const session = await sessions.find(sessionId);
    const age = runtime.now().getTime() - (session?.createdAt.getTime() ?? 0);
    if (age > MAX_SIGN_IN_AGE_MS) throw new CodedError('REAUTHENTICATION_REQUIRED');
    const { wallet, isCompleted, complete } = await proveWallet(signed, {
      purpose: 'add_wallet',
      name: `add-wallet:${userId}`,
      check: ({ partner }) => {
        if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
      },
    });
    if (!isCompleted) {
      const added = await addWalletTo(userId, wallet);
      await complete();
      return { wallet: added };
    }
    // A repeat returns the wallet that it added, and never adds one that was removed since.
    const listed = walletOf(requireUser(await users.find(userId)), wallet);
    if (listed === undefined) throw new CodedError('NONCE_USED');
    return { wallet: listed };
  });
