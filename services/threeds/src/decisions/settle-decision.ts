import { hasSignatureShape } from '@florin/evm/signatures';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { WalletsClient } from '../clients/wallets.ts';
import type { Challenge, Decision } from '../domain/challenge.ts';
import { statusAt } from '../domain/challenge-state.ts';
import { meetDecision } from '../domain/decision-rules.ts';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import type { ContractSigners } from '../ports/contract-signers.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import { type DecisionLock, underLock } from './decision-lock.ts';
import { findSigner, type SignedTypedData } from './find-signer.ts';

export type SettleDecisionParts = {
  challenges: ChallengeStore;
  wallets: WalletsClient;
  contracts: ContractSigners;
  acs: AccessControlServer;
  lock: DecisionLock;
  runtime: Pick<Runtime, 'now'>;
};

export type SubmittedDecision = { challengeId: string; decision: Decision; signature: string };

type Caller = { caller: { userId: string }; requestId: string; logger: Logger };

type Work = SettleDecisionParts & { submitted: SubmittedDecision; call: Caller };

/** A challenge as stored, and whether the submitted decision already stands in it or can still be made. */
type Stored = { challenge: Challenge; outcome: ReturnType<typeof meetDecision> };

const read = async ({ challenges, runtime, submitted, call }: Work): Promise<Stored> => {
  const challenge = await challenges.get(submitted.challengeId, runtime.now(), { userId: call.caller.userId });
  return { challenge, outcome: meetDecision(challenge, submitted.decision) };
};

/** The user's challenge as this process remembers it, if it may still be open and has typed data to sign. */
const recallOpen = ({ challenges, runtime, submitted, call }: Work): Challenge | undefined => {
  const challenge = challenges.recallOpen(submitted.challengeId);
  if (challenge === undefined || challenge.userId !== call.caller.userId) return undefined;
  if (challenge.issued[submitted.decision].length === 0) return undefined;
  return statusAt(challenge, runtime.now()) === 'pending' ? challenge : undefined;
};

/** Whether the remembered challenge already had all typed data that is now stored for the decision. */
const knewAllTypedData = (remembered: Challenge, stored: Challenge, decision: Decision): boolean => {
  const known = new Set(remembered.issued[decision].map(({ nonce }) => nonce));
  return stored.issued[decision].every(({ nonce }) => known.has(nonce));
};

const verify = ({ contracts, wallets, submitted, call }: Work, challenge: Challenge): Promise<SignedTypedData | undefined> => {
  // A signature that no signer of this challenge can make, such as a Safe's on a chain without a node, does not count as an attempt.
  if (!hasSignatureShape(submitted.signature) && !contracts.serves(challenge.chainId)) throw new CodedError('INVALID_SIGNATURE');
  return findSigner({ contracts, wallets }, challenge, submitted, call);
};

/** Makes the decision if it is signed; counts a bad signature otherwise. */
const decide = async (work: Work, challenge: Challenge, signed: SignedTypedData | undefined): Promise<Challenge> => {
  const { challenges, runtime, acs, submitted } = work;
  // The time of the write, not of the request's arrival: verifying the signature took time.
  const now = runtime.now();
  if (signed === undefined) {
    await challenges.countBadSignature(challenge, now);
    throw new CodedError('INVALID_SIGNATURE');
  }
  const receipt = { ...signed, decidedAt: now };
  const decided = await challenges.decide(challenge, submitted.decision, receipt, acs.confirmsAtOnce === true);
  if (decided !== undefined) return decided;
  // A concurrent write changed the challenge.
  const stored = await read(work);
  if (stored.outcome === 'standing') return stored.challenge;
  // Still open, but newer typed data has displaced the typed data that was signed.
  throw new CodedError('INVALID_SIGNATURE');
};

/** @param remembered an earlier state of the challenge against which the signature was verified without success */
const decideStored = async (work: Work, { challenge, outcome }: Stored, remembered?: Challenge): Promise<Challenge> => {
  if (outcome === 'standing') return challenge;
  const alreadyVerified = remembered !== undefined && knewAllTypedData(remembered, challenge, work.submitted.decision);
  return decide(work, challenge, alreadyVerified ? undefined : await verify(work, challenge));
};

/** Tries the write on the remembered state, and reads the challenge only if the signature does not match that state. */
const decideRemembered = async (work: Work, remembered: Challenge): Promise<Challenge> => {
  const signed = await verify(work, remembered);
  return signed === undefined ? decideStored(work, await read(work), remembered) : decide(work, remembered, signed);
};

/**
 * Makes a signed decision, or finds that the same decision was made before. The conditional write decides whether a decision is still
 * possible; memory and the lock only save reads and verifications.
 * @returns the challenge with the decision
 * @throws CodedError CHALLENGE_NOT_FOUND, INVALID_SIGNATURE, DECISION_NOT_AVAILABLE, DECISION_ALREADY_MADE, SERVICE_UNAVAILABLE,
 * UPSTREAM_TIMEOUT
 */
export const settleDecision = async (parts: SettleDecisionParts, submitted: SubmittedDecision, call: Caller): Promise<Challenge> => {
  const work = { ...parts, submitted, call };
  const locked = (decideLocked: (contended: boolean) => Promise<Challenge>) =>
    underLock(parts.lock, submitted.challengeId, call.logger, decideLocked);

  const remembered = recallOpen(work);
  if (remembered !== undefined) {
    return locked(async (contended) => (contended ? decideStored(work, await read(work)) : decideRemembered(work, remembered)));
  }
  const stored = await read(work);
  if (stored.outcome === 'standing') return stored.challenge;
  return locked(async (contended) => decideStored(work, contended ? await read(work) : stored));
};
