import type { RejectAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { actorSchema, assertOwnName, isSameActor } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ adjustmentId: uuidSchema, actor: actorSchema });

/**
 * Ends an adjustment that waits for approval.
 * @throws CodedError ADJUSTMENT_NOT_FOUND, ADJUSTMENT_STATE_CONFLICT, FORBIDDEN, VALIDATION_FAILED
 */
export const rejectAdjustment = ({ adjustments, runtime }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.approveAdjustments, async (request: RejectAdjustmentRequest, { caller }) => {
    const { adjustmentId, actor } = parseRequest(requestSchema, request);
    assertOwnName(caller, actor);
    const moved = await adjustments.move(adjustmentId, ['pending'], { status: 'rejected', rejectedBy: actor, updatedAt: runtime.now() });
    const adjustment = moved ?? requireAdjustment(await adjustments.find(adjustmentId));
    if (adjustment.status !== 'rejected' || !isSameActor(adjustment.rejectedBy, actor)) throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
    return { adjustment: toWireAdjustment(adjustment) };
  });
