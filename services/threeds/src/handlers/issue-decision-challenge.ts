import { newNonce, toWireTypedMessage } from '@florin/evm/typed-messages';
import type { IssueDecisionChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { authorizationText } from '../domain/authorization-text.ts';
import { requireUndecided } from '../domain/decision-rules.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';
import type { Dependencies } from './dependencies.ts';
import { toDecision } from './from-wire.ts';

/** Issues fresh typed data for one decision, stored together with exactly what may be signed. */
export const issueDecisionChallenge = ({ runtime, challenges }: Dependencies) =>
  userMethod(async (request: IssueDecisionChallengeRequest, { caller: { userId } }) => {
    const { challengeId } = request;
    const decision = toDecision(request.decision);
    // The facts in the text never change; the write below decides whether a decision is still possible.
    const challenge = await challenges.recall(challengeId);
    if (challenge === undefined || challenge.userId !== userId) throw new CodedError('CHALLENGE_NOT_FOUND');

    const message = { authorization: authorizationText(challenge, decision), nonce: newNonce(runtime.randomBytes) };
    const issuedAt = runtime.now();
    const stored = await challenges.addTypedData(challenge.id, decision, { ...message, issuedAt }, issuedAt);
    if (!stored) {
      // Decided, cancelled or expired: raise the code that says which.
      requireUndecided(await challenges.get(challengeId, runtime.now(), { userId }));
      throw new CodedError('DECISION_NOT_AVAILABLE');
    }
    return { typedData: toWireTypedMessage(decisionTypedData(challenge.chainId, message)) };
  });
