import type { GetReceiptRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { loadChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireReceipt } from './to-wire.ts';

/**
 * Answers the evidence of a decision.
 * @throws CodedError CHALLENGE_NOT_FOUND, RECEIPT_NOT_FOUND, VALIDATION_FAILED
 */
export const getReceipt = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.readChallenges, async (request: GetReceiptRequest) => {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    const challenge = await loadChallenge(challenges, challengeId, runtime.now());
    const { decision, receipt } = challenge;
    if (decision === undefined || receipt === undefined) throw new CodedError('RECEIPT_NOT_FOUND');
    return { receipt: toWireReceipt(challenge, decision, receipt) };
  });
