import type { CountPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { timeSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

const requestSchema = z
  .object({ from: timeSchema, to: timeSchema })
  .refine(({ from, to }) => from < to && to.getTime() - from.getTime() <= LONGEST_MS, 'must be a period of at most 31 days');

/**
 * Counts the approved and the declined payments of all users in a period.
 * @throws CodedError VALIDATION_FAILED
 */
export const countPayments = ({ payments }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readPayments, async (request: CountPaymentsRequest) => {
    const { from, to } = parseRequest(requestSchema, request);
    const { approved = 0, ...declined } = Object.fromEntries(await payments.countOutcomes(from, to));
    const reasons = Object.entries(declined).filter(([, count]) => count > 0);
    return { approved: BigInt(approved), declined: Object.fromEntries(reasons.map(([code, count]) => [code, BigInt(count)])) };
  });
