import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SubmitDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { confirmDecision } from '../decisions/confirm-decision.ts';
import { settleDecision } from '../decisions/settle-decision.ts';
import { canBeSignature } from '../domain/decision-signature.ts';
import type { Dependencies } from './dependencies.ts';
import { decisionSchema } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema, decision: decisionSchema, signature: z.string() });

/**
 * Accepts a signed decision, exactly once. The access control server is notified outside the lock.
 * @throws CodedError CHALLENGE_NOT_FOUND, INVALID_SIGNATURE, DECISION_NOT_AVAILABLE, DECISION_ALREADY_MADE, CARD_NOT_ACTIVE,
 * ACCOUNT_NOT_ACTIVE, WALLET_COOLING, VALIDATION_FAILED
 */
export const submitDecision = ({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }: Dependencies) =>
  userMethod(async (request: SubmitDecisionRequest, call) => {
    const submitted = parseRequest(requestSchema, request);
    if (!canBeSignature(submitted.signature)) throw new CodedError('INVALID_SIGNATURE');
    const settled = await settleDecision({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }, submitted, call);
    const challenge = await confirmDecision({ runtime, challenges, acs }, settled, call.logger);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(runtime.now()) };
  });
