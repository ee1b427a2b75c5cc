import type { RemoveWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { requireRecentOwnWallet } from './require-own-wallet.ts';

const requestSchema = z.object({ address: addressSchema });

/**
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED, NOT_FOUND, LAST_WALLET, WALLET_IS_OWNER, WALLET_COOLING, USER_NOT_FOUND,
 * VALIDATION_FAILED
 */
export const removeWallet = ({ removeWalletFrom, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: RemoveWalletRequest, { caller }) => {
    const { address } = parseRequest(requestSchema, request);
    const { user, wallet } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    await removeWalletFrom(user, address, wallet);
    notices.kick();
    return {};
  });
