import type { IssueDecisionChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { authorizationText } from '../domain/authorization-text.ts';
import { requireUndecided } from '../domain/decision-rules.ts';
import { decisionTypedData, newNonce } from '../domain/decision-typed-data.ts';
import type { Dependencies } from './dependencies.ts';
import { loadOwnChallenge } from './load-challenge.ts';
import { decisionSchema } from './requests.ts';
import { toWireTypedData } from './to-wire.ts';

/**
 * Issues fresh typed data for one decision, stored with the very tuple that may be signed.
 * @throws CodedError CHALLENGE_NOT_FOUND, DECISION_NOT_AVAILABLE, DECISION_ALREADY_MADE, VALIDATION_FAILED
 */
export const issueDecisionChallenge = ({ runtime, challenges }: Dependencies) =>
  userMethod(async (request: IssueDecisionChallengeRequest, { caller }) => {
    const { challengeId, decision } = parseRequest(decisionSchema, request);
    // What the text says never changes; whether a decision is still possible is decided by the write.
    const challenge = await challenges.recall(challengeId);
    if (challenge === undefined || challenge.userId !== caller.userId) throw new CodedError('CHALLENGE_NOT_FOUND');

    const message = { authorization: authorizationText(challenge, decision), nonce: newNonce(runtime.randomBytes) };
    const issuedAt = runtime.now();
    const stored = await challenges.addTypedData(challenge.id, decision, { ...message, issuedAt }, issuedAt);
    if (stored === undefined) {
      // Decided, cancelled or out of time: say which.
      requireUndecided(await loadOwnChallenge(challenges, challengeId, caller, runtime.now()));
      throw new CodedError('DECISION_NOT_AVAILABLE');
    }
    return { typedData: toWireTypedData(decisionTypedData(challenge.chainId, message)) };
  });
