import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { hasSignatureShape } from '@florin/evm/signatures';
import type { SubmitDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { type Call, parseRequest, userMethod } from '@florin/rpc/server';
import { underLock } from '../adapters/decision-lock.ts';
import { confirmDecision } from '../decisions/confirm-decision.ts';
import { findSigner } from '../decisions/find-signer.ts';
import type { Challenge, Decision } from '../domain/challenge.ts';
import { statusAt } from '../domain/challenge-state.ts';
import { meetDecision } from '../domain/decision-rules.ts';
import { canBeSignature } from '../domain/decision-signature.ts';
import type { Dependencies } from './dependencies.ts';
import { loadOwnChallenge } from './load-challenge.ts';
import { signedDecisionSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

type Submitted = { decision: Decision; signature: string };

/** Whether everything that may be signed for a decision could be signed when the challenge was remembered, too. */
const knewAll = (remembered: Challenge, stored: Challenge, decision: Decision): boolean => {
  const known = new Set(remembered.issued[decision].map(({ nonce }) => nonce));
  return stored.issued[decision].every(({ nonce }) => known.has(nonce));
};

/** The user's challenge as this process remembers it, if it may be open and something may be signed. */
const recallOwn = ({ challenges, runtime }: Dependencies, id: string, { userId }: { userId: string }, decision: Decision) => {
  const challenge = challenges.recallOpen(id);
  if (challenge === undefined || challenge.userId !== userId || challenge.issued[decision].length === 0) return undefined;
  return statusAt(challenge, runtime.now()) === 'pending' ? challenge : undefined;
};

type Met = { challenge: Challenge; met: ReturnType<typeof meetDecision> };
type Signed = Awaited<ReturnType<typeof findSigner>>;

/** The challenge on which this decision now stands: made by this call, or made before. Throws the rules' codes otherwise. */
const settle = async (deps: Dependencies, id: string, submitted: Submitted, call: Call<{ userId: string }>): Promise<Challenge> => {
  const { challenges, contracts, runtime, acs } = deps;
  const { decision } = submitted;
  const read = async (): Promise<Met> => {
    const challenge = await loadOwnChallenge(challenges, id, call.caller, runtime.now());
    return { challenge, met: meetDecision(challenge, decision) };
  };
  const sign = (challenge: Challenge): Promise<Signed> => {
    // What no signer of this challenge could have made, a Safe's signature where no Safe can be asked, is no try at all.
    if (!hasSignatureShape(submitted.signature) && !contracts.serves(challenge.chainId)) throw new CodedError('INVALID_SIGNATURE');
    return findSigner(deps, challenge, submitted, call);
  };

  /** Makes the decision if the signature is good; counts it otherwise. */
  const decide = async (challenge: Challenge, signed: Signed): Promise<Challenge> => {
    // The time of the write, not of the request's arrival: checking the signature and asking for the wallets took its time.
    const now = runtime.now();
    if (signed === undefined) {
      await challenges.countBadSignature(challenge, now);
      throw new CodedError('INVALID_SIGNATURE');
    }
    const decided = await challenges.decide(challenge, decision, { ...signed, decidedAt: now }, acs.confirmsAtOnce === true);
    if (decided !== undefined) return decided;
    // Somebody else changed it in between.
    const after = await read();
    if (after.met === 'standing') return after.challenge;
    // Still open, yet the write found its typed data gone: newer ones pushed it out in between.
    throw new CodedError('INVALID_SIGNATURE');
  };

  /** With the challenge as it is stored; `before` is what the signature was held against already, and did not fit. */
  const decideStored = async ({ challenge, met }: Met, before?: Challenge): Promise<Challenge> => {
    if (met === 'standing') return challenge;
    return decide(challenge, before !== undefined && knewAll(before, challenge, decision) ? undefined : await sign(challenge));
  };

  // Whether a decision is still possible is for the write to say: what is remembered saves the read before it.
  const remembered = recallOwn(deps, id, call.caller, decision);
  const first = remembered === undefined ? await read() : undefined;
  if (first?.met === 'standing') return first.challenge;

  return underLock(deps.lock, id, call.logger, async (contended) => {
    if (first !== undefined || remembered === undefined || contended) {
      return decideStored(contended || first === undefined ? await read() : first);
    }
    const signed = await sign(remembered);
    return signed === undefined ? decideStored(await read(), remembered) : decide(remembered, signed);
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
