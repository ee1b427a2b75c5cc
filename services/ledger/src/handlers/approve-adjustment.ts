import { AdjustmentService, type ApproveAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { actorSchema, assertOwnName, isSameActor } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { isOverdue } from '../adjusting/sweep-adjustments.ts';
import { bookAdjustment, requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ adjustmentId: uuidSchema, actor: actorSchema });

/**
 * Approves an adjustment, by another person than the one who ordered it, and books it. One write decides between approval and rejection.
 * @throws CodedError ADJUSTMENT_NOT_FOUND, SELF_APPROVAL, ADJUSTMENT_STATE_CONFLICT, FORBIDDEN, VALIDATION_FAILED
 */
export const approveAdjustment = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.approveAdjustments, async (request: ApproveAdjustmentRequest, call) => {
    const { adjustmentId, actor } = parseRequest(requestSchema, request);
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
