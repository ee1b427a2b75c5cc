import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/kit/errors';
import { type Call, parseRequest, userMethod } from '@florin/kit/rpc';
import { hasSignatureShape } from '@florin/kit/signatures';
import type { SubmitDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { underLock } from '../adapters/decision-lock.ts';
import { confirmDecision } from '../decisions/confirm-decision.ts';
import { findSigner } from '../decisions/find-signer.ts';
import type { Challenge, Decision } from '../domain/challenge.ts';
import { meetDecision } from '../domain/decision-rules.ts';
import { canBeSignature } from '../domain/decision-signature.ts';
import type { Dependencies } from './dependencies.ts';
import { loadOwnChallenge } from './load-challenge.ts';
import { signedDecisionSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

type Submitted = { decision: Decision; signature: string };

/**
 * Makes the decision if the signature is good.
 * @returns the decided challenge, or undefined when somebody else changed it in between: read again, the rules then answer
 * @throws CodedError INVALID_SIGNATURE (counted; the fifth ends the challenge), SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
const decide = async (
  { wallets, contracts, challenges, runtime }: Dependencies,
  challenge: Challenge,
  submitted: Submitted,
  call: { requestId: string },
): Promise<Challenge | undefined> => {
  // What no signer of this challenge could have made, a Safe's signature where no Safe can be asked, is no try at all.
  if (!hasSignatureShape(submitted.signature) && !contracts.serves(challenge.chainId)) throw new CodedError('INVALID_SIGNATURE');
  const signed = await findSigner({ wallets, contracts }, challenge, submitted, call);
  // The time of the write, not of the request's arrival: checking the signature and asking for the wallets took its time.
  const now = runtime.now();
  if (signed === undefined) {
    await challenges.countBadSignature(challenge, now);
    throw new CodedError('INVALID_SIGNATURE');
  }
  return challenges.decide(challenge, submitted.decision, { ...signed, decidedAt: now });
};

/** The challenge on which this decision now stands: made by this call, or made before. Throws the rules' codes otherwise. */
const settle = async (deps: Dependencies, id: string, submitted: Submitted, call: Call<{ userId: string }>): Promise<Challenge> => {
  const read = async () => {
    const challenge = await loadOwnChallenge(deps.challenges, id, call.caller, deps.runtime.now());
    return { challenge, met: meetDecision(challenge, submitted.decision) };
  };
  const first = await read();
  if (first.met === 'standing') return first.challenge;

  return underLock(deps.lock, id, call.logger, async (contended) => {
    const { challenge, met } = contended ? await read() : first;
    if (met === 'standing') return challenge;
    const decided = await decide(deps, challenge, submitted, call);
    if (decided !== undefined) return decided;
    const after = await read();
    if (after.met === 'standing') return after.challenge;
    // Still open, yet the write found its typed data gone: newer ones pushed it out in between.
    throw new CodedError('INVALID_SIGNATURE');
  });
};

/**
 * Accepts a signed decision, once. The access control server hears of it outside of the lock.
 * @throws CodedError CHALLENGE_NOT_FOUND, INVALID_SIGNATURE, DECISION_NOT_AVAILABLE, DECISION_ALREADY_MADE, VALIDATION_FAILED
 */
export const submitDecision = (deps: Dependencies) =>
  userMethod(async (request: SubmitDecisionRequest, call) => {
    const { challengeId, ...submitted } = parseRequest(signedDecisionSchema, request);
    if (!canBeSignature(submitted.signature)) throw new CodedError('INVALID_SIGNATURE');
    const settled = await settle(deps, challengeId, submitted, call);
    const challenge = await confirmDecision(deps, settled, call.logger);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(deps.runtime.now()) };
  });
