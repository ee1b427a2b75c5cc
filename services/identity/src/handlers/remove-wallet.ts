import type { RemoveWalletRequest } from '@florin/proto/identity/v1/wallet_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';

const requestSchema = z.object({ address: addressSchema });

/** @throws CodedError NOT_FOUND, LAST_WALLET, WALLET_IS_OWNER, USER_NOT_FOUND, VALIDATION_FAILED */
export const removeWallet = ({ removeWalletFrom }: Pick<Dependencies, 'removeWalletFrom'>) =>
  userMethod(async (request: RemoveWalletRequest, { caller }) => {
    const { address } = parseRequest(requestSchema, request);
    await removeWalletFrom(caller.userId, address);
    return {};
  });
