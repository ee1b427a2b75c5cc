import type { AddWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object(signedMessageShape);

/** A wallet stays for ever, an access token may be stolen: only who has signed in just now adds one (step-up, RFC 9470). */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

/**
 * @throws CodedError REAUTHENTICATION_REQUIRED, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, WALLET_IN_USE, WALLET_LIMIT_REACHED,
 * SERVICE_UNAVAILABLE, USER_NOT_FOUND, VALIDATION_FAILED
 */
export const addWallet = ({
  proveWallet,
  addWalletTo,
  sessions,
  runtime,
}: Pick<Dependencies, 'proveWallet' | 'addWalletTo' | 'sessions' | 'runtime'>) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const signed = parseRequest(requestSchema, request);
    const { userId, partnerId, sessionId } = caller;
    const session = await sessions.find(sessionId);
    const age = runtime.now().getTime() - (session?.createdAt.getTime() ?? 0);
    if (age > MAX_SIGN_IN_AGE_MS) throw new CodedError('REAUTHENTICATION_REQUIRED');
    const { wallet } = await proveWallet(signed, {
      name: `add-wallet:${userId}`,
      check: ({ partner }) => {
        if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
      },
    });
    return { wallet: await addWalletTo(userId, wallet) };
  });
