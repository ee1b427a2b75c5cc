import { AdjustmentService, type ApproveAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { assertOwnName, isSameActor } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { isOverdue } from '../adjusting/sweep-adjustments.ts';
import { bookAdjustment, requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

/** Approves an adjustment, by another person than the one who ordered it, and books it. One write decides between approval and rejection. */
export const approveAdjustment = (parts: Dependencies) =>
  serviceMethod(async (request: ApproveAdjustmentRequest, call) => {
    const { adjustmentId, actor } = request;
    assertOwnName(call.caller, actor);
    const found = requireAdjustment(await parts.adjustments.find(adjustmentId));
    if (isSameActor(found.metadata.actor, actor)) throw new CodedError('SELF_APPROVAL');
    return parts.shards.atShard(found.shard, { rpc: AdjustmentService.method.approveAdjustment, request, call }, async (journal) => {
      const now = parts.runtime.now();
      if (isOverdue(found, now, parts.approval.expiresMs))
        await parts.adjustments.move(adjustmentId, ['pending'], { status: 'expired', updatedAt: now });
      const move = { status: 'approved', approvedBy: actor, updatedAt: now } as const;
      const moved = await parts.adjustments.move(adjustmentId, ['pending'], move);
      const adjustment = moved ?? requireAdjustment(await parts.adjustments.find(adjustmentId));
      if (['rejected', 'expired'].includes(adjustment.status) || !isSameActor(adjustment.metadata.approvedBy, actor)) {
        throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
      }
      return { adjustment: toWireAdjustment(await bookAdjustment(parts, journal, adjustment)) };
    });
  });
