import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { RejectWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z.object({ recoveryId: uuidSchema, actor: actorSchema });

/**
 * Ends a pending recovery.
 * @throws CodedError RECOVERY_NOT_FOUND, RECOVERY_STATE_CONFLICT, FORBIDDEN, VALIDATION_FAILED
 */
export const rejectWalletRecovery = ({ recoveries }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.approveRecoveries, async (request: RejectWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = parseRequest(requestSchema, request);
    assertOwnName(caller, actor);
    return { recovery: toWireRecovery(await recoveries.reject(recoveryId, actor)) };
  });
