import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SubmitDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { confirmDecision } from '../decisions/confirm-decision.ts';
import { settleDecision } from '../decisions/settle-decision.ts';
import { canBeSignature } from '../domain/decision-signature.ts';
import type { Dependencies } from './dependencies.ts';
import { toDecision } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

/** Accepts a signed decision, exactly once. The access control server is notified outside the lock. */
export const submitDecision = ({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }: Dependencies) =>
  userMethod(async (request: SubmitDecisionRequest, call) => {
    const { challengeId, signature } = request;
    if (!canBeSignature(signature)) throw new CodedError('INVALID_SIGNATURE');
    const submitted = { challengeId, decision: toDecision(request.decision), signature };
    const settled = await settleDecision({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }, submitted, call);
    const challenge = await confirmDecision({ runtime, challenges, acs }, settled, call.logger);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(runtime.now()) };
  });
