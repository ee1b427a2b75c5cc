import { CodedError } from '@florin/kit/errors';
import { parseRequest, userMethod } from '@florin/kit/rpc';
import type { AddWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { z } from 'zod';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object(signedMessageShape);

/**
 * @throws CodedError INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, WALLET_IN_USE, WALLET_LIMIT_REACHED,
 * SERVICE_UNAVAILABLE, USER_NOT_FOUND, VALIDATION_FAILED
 */
export const addWallet = ({ proveWallet, addWalletTo }: Pick<Dependencies, 'proveWallet' | 'addWalletTo'>) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const signed = parseRequest(requestSchema, request);
    const { userId, partnerId } = caller;
    const { wallet } = await proveWallet(signed, {
      name: `add-wallet:${userId}`,
      check: ({ partner }) => {
        if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
      },
    });
    return { wallet: await addWalletTo(userId, wallet) };
  });
