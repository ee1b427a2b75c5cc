import type { MakeWalletPrimaryRequest } from '@florin/proto/identity/v1/wallet_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { z } from 'zod';
import { walletOf } from '../domain/wallet-rules.ts';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';
import { requireUser } from './require-user.ts';
import { toWireWallet } from './to-wire.ts';

const requestSchema = z.object({
  wallet: addressSchema.transform((text) => getAddress(text.toLowerCase())),
  approval: signedMessageShape.signature,
});

/**
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED, INVALID_APPROVAL, WALLET_COOLING, NONCE_EXPIRED, NONCE_USED, NOT_FOUND,
 * SERVICE_UNAVAILABLE, USER_NOT_FOUND, VALIDATION_FAILED
 */
export const makeWalletPrimary = ({ approvals, makePrimary, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: MakeWalletPrimaryRequest, { caller }) => {
    const { wallet, approval } = parseRequest(requestSchema, request);
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const listed = walletOf(user, wallet);
    if (listed === undefined) throw new CodedError('NOT_FOUND');
    if (!listed.primary) {
      const verified = await approvals.verify({ user, change: 'make_primary', wallet, approval, use: 'make-primary', by: wallet }).catch(
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
