import type { GetReceiptRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireReceipt } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema });

/**
 * Returns the evidence of a decision.
 * @throws CodedError CHALLENGE_NOT_FOUND, RECEIPT_NOT_FOUND, VALIDATION_FAILED
 */
export const getReceipt = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(THREEDS_SCOPES.readChallenges, async (request: GetReceiptRequest, { caller }) => {
    const { challengeId } = parseRequest(requestSchema, request);
    const challenge = await challenges.get(challengeId, runtime.now(), caller.kind === 'service' ? {} : { userId: caller.userId });
    const { decision, receipt } = challenge;
    if (decision === undefined || receipt === undefined) throw new CodedError('RECEIPT_NOT_FOUND');
    return { receipt: toWireReceipt(challenge, decision, receipt) };
  });
