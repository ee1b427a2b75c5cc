import { cutPage, pageOf } from '@florin/data/paging';
import {
  AdjustmentService,
  type ApproveAdjustmentRequest,
  type GetAdjustmentRequest,
  type GetAllowanceRequest,
  type ListAdjustmentsRequest,
  type RejectAdjustmentRequest,
} from '@florin/proto/ledger/v1/adjustment_service';
import { assertOwnName, isSameActor } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { isOverdue } from '../adjusting/sweep-adjustments.ts';
import { accountsOfSides, leftIn, sumsOf } from '../domain/approval-window.ts';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.ts';
import type { AdjustmentPlace } from '../store/adjustments.ts';
import { bookAdjustment, requireAdjustment, statusFrom, toWireAdjustment } from './adjustments.ts';
import { createAdjustment } from './create-adjustment.ts';
import type { Dependencies } from './dependencies.ts';

/** Approves an adjustment, by another person than the one who ordered it, and books it. One write decides between approval and rejection. */
const approveAdjustment = (parts: Dependencies) =>
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

/** Ends an adjustment that waits for approval. */
const rejectAdjustment = ({ adjustments, runtime }: Dependencies) =>
  serviceMethod(async (request: RejectAdjustmentRequest, { caller }) => {
    const { adjustmentId, actor, reason } = request;
    assertOwnName(caller, actor);
    const rejection = { rejectedBy: actor, ...(reason === '' ? {} : { rejectionReason: reason }) };
    const moved = await adjustments.move(adjustmentId, ['pending'], { status: 'rejected', ...rejection, updatedAt: runtime.now() });
    const adjustment = moved ?? requireAdjustment(await adjustments.find(adjustmentId));
    if (adjustment.status !== 'rejected' || !isSameActor(adjustment.rejectedBy, actor)) throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
    return { adjustment: toWireAdjustment(adjustment) };
  });

/** The least that the counts of the actor and of each account leave of every token. */
const getAllowance = ({ approvalWindows, approval, assets, runtime }: Dependencies) =>
  serviceMethod(async ({ actor, accounts }: GetAllowanceRequest, { caller }) => {
    assertOwnName(caller, actor);
    const counts = await Promise.all(sumsOf(actor, accountsOfSides(accounts)).map((key) => approvalWindows.find(key)));
    const now = runtime.now();
    const leastOf = (token: string): bigint =>
      counts.map((counted) => leftIn(counted, token, now, approval)).reduce((least, left) => (left < least ? left : least));
    return { amounts: Object.fromEntries(assets.tokens.map(({ symbol }) => [symbol, leastOf(symbol).toString()])) };
  });

/** An adjustment by its id. */
const getAdjustment = ({ adjustments }: Dependencies) =>
  serviceMethod(async (request: GetAdjustmentRequest) => {
    const { adjustmentId } = request;
    return { adjustment: toWireAdjustment(requireAdjustment(await adjustments.find(adjustmentId))) };
  });

const encodePlace = ({ createdAt, id }: AdjustmentPlace): string => `${encodeCursor(createdAt.getTime())}.${id}`;

/** @throws CodedError VALIDATION_FAILED unless the text is exactly what `encodePlace` makes */
const decodePlace = (cursor: string): AdjustmentPlace | undefined => {
  if (cursor === '') return undefined;
  const [time = '', text = ''] = cursor.split('.');
  const createdAt = decodeCursor(time);
  const id = uuidSchema.safeParse(text);
  const place = createdAt === undefined || !id.success ? undefined : { createdAt: new Date(createdAt), id: id.data };
  if (place === undefined || encodePlace(place) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be a nextCursor of an earlier page' });
  }
  return place;
};

/** A page of adjustments, newest first. */
const listAdjustments = ({ adjustments }: Dependencies) =>
  serviceMethod(async (request: ListAdjustmentsRequest) => {
    const page = pageOf(request);
    const found = await adjustments.page({ limit: page.limit + 1, before: decodePlace(page.cursor), status: statusFrom(request.status) });
    const { rows, nextCursor } = cutPage(found, page.limit, encodePlace);
    return { adjustments: rows.map(toWireAdjustment), page: { nextCursor } };
  });

/** Implementation of the contract `AdjustmentService`. */
export const adjustmentService = (dependencies: Dependencies): ServiceImplementation =>
  implement(AdjustmentService, {
    createAdjustment: createAdjustment(dependencies),
    approveAdjustment: approveAdjustment(dependencies),
    rejectAdjustment: rejectAdjustment(dependencies),
    getAdjustment: getAdjustment(dependencies),
    getAllowance: getAllowance(dependencies),
    listAdjustments: listAdjustments(dependencies),
  });
