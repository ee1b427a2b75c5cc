import type { RejectAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { assertOwnName, isSameActor } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

/** Ends an adjustment that waits for approval. */
export const rejectAdjustment = ({ adjustments, runtime }: Dependencies) =>
  serviceMethod(async (request: RejectAdjustmentRequest, { caller }) => {
    const { adjustmentId, actor, reason } = request;
    assertOwnName(caller, actor);
    const rejection = { rejectedBy: actor, ...(reason === '' ? {} : { rejectionReason: reason }) };
    const moved = await adjustments.move(adjustmentId, ['pending'], { status: 'rejected', ...rejection, updatedAt: runtime.now() });
    const adjustment = moved ?? requireAdjustment(await adjustments.find(adjustmentId));
    if (adjustment.status !== 'rejected' || !isSameActor(adjustment.rejectedBy, actor)) throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
    return { adjustment: toWireAdjustment(adjustment) };
  });
