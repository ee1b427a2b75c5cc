import type { GetAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { serviceMethod } from '@florin/rpc/server';
import { requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

/** An adjustment by its id. */
export const getAdjustment = ({ adjustments }: Dependencies) =>
  serviceMethod(async (request: GetAdjustmentRequest) => {
    const { adjustmentId } = request;
    return { adjustment: toWireAdjustment(requireAdjustment(await adjustments.find(adjustmentId))) };
  });
