import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { CreateWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { getAddress, isAddress } from 'viem';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z
  .object({
    recoveryId: uuidSchema,
    userId: uuidSchema,
    lostWallet: addressSchema.transform((text) => getAddress(text.toLowerCase())),
    replacementWallet: z
      .string()
      .refine((text) => isAddress(text, { strict: true }) && getAddress(text) === text, 'must be an address in its EIP-55 spelling'),
    actor: actorSchema,
    reason: z
      .string()
      .max(512)
      .refine((text) => text.trim() !== '', 'is required'),
  })
  .refine(({ lostWallet, replacementWallet }) => lostWallet !== replacementWallet, {
    path: ['replacementWallet'],
    message: 'must differ from lost_wallet',
  });

/**
 * Orders the replacement of a lost wallet.
 * @throws CodedError USER_NOT_FOUND, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, FORBIDDEN, VALIDATION_FAILED
 */
export const createWalletRecovery = ({ recoveries, notices }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.writeRecoveries, async (request: CreateWalletRecoveryRequest, { caller }) => {
    const { recoveryId, ...order } = parseRequest(requestSchema, request);
    assertOwnName(caller, order.actor);
    const recovery = await recoveries.order(recoveryId, order);
    notices.kick();
    return { recovery: toWireRecovery(recovery) };
  });
