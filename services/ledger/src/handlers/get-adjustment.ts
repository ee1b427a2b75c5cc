import type { GetAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { requireAdjustment, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ adjustmentId: uuidSchema });

/**
 * An adjustment by its id.
 * @throws CodedError ADJUSTMENT_NOT_FOUND, VALIDATION_FAILED
 */
export const getAdjustment = ({ adjustments }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readAdjustments, async (request: GetAdjustmentRequest) => {
    const { adjustmentId } = parseRequest(requestSchema, request);
    return { adjustment: toWireAdjustment(requireAdjustment(await adjustments.find(adjustmentId))) };
  });
