import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toWireTypedMessage } from '@florin/evm/typed-messages';
import { type CreateWalletChallengeRequest, WalletChange as WireChange } from '@florin/proto/identity/v1/wallet_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { WalletChange } from '../domain/wallet-approval.ts';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { requireOwnWallet } from './require-own-wallet.ts';

const CHANGE: Readonly<Partial<Record<WireChange, WalletChange>>> = {
  [WireChange.ADD]: 'add',
  [WireChange.MAKE_PRIMARY]: 'make_primary',
};

const requestSchema = z.object({
  wallet: addressSchema.transform((text) => getAddress(text.toLowerCase())),
  change: z.custom<WireChange>((value) => CHANGE[value as WireChange] !== undefined, 'must be ADD or MAKE_PRIMARY'),
});

/** @throws CodedError UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED */
export const createWalletChallenge = ({ users, approvals }: Dependencies) =>
  userMethod(async (request: CreateWalletChallengeRequest, { caller }) => {
    const { wallet, change } = parseRequest(requestSchema, request);
    await requireOwnWallet({ users }, caller);
    const { userId, partnerId } = caller;
    const issued = await approvals.issue({ change: CHANGE[change] ?? 'add', userId, wallet, partnerId });
    return { typedData: toWireTypedMessage(issued.typedData), expiresAt: timestampFromDate(issued.expiresAt) };
  });
