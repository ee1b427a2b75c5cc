import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { ApproveWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z.object({ recoveryId: uuidSchema, actor: actorSchema });

/**
 * Approves a recovery, by another person than the one who ordered it, and carries it out.
 * @throws CodedError RECOVERY_NOT_FOUND, SELF_APPROVAL, RECOVERY_STATE_CONFLICT, FORBIDDEN, VALIDATION_FAILED
 */
export const approveWalletRecovery = ({ recoveries, notices }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.approveRecoveries, async (request: ApproveWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = parseRequest(requestSchema, request);
    assertOwnName(caller, actor);
    const recovery = await recoveries.approve(recoveryId, actor);
    notices.kick();
    return { recovery: toWireRecovery(recovery) };
  });
