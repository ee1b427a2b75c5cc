import type { ContractSigners } from '@florin/evm/contract-signers';
import { hasSignatureShape } from '@florin/evm/signatures';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { CardsClient } from '../clients/cards.ts';
import type { WalletsClient } from '../clients/wallets.ts';
import type { Challenge, Decision } from '../domain/challenge.ts';
import { statusAt } from '../domain/challenge-state.ts';
import { meetDecision } from '../domain/decision-rules.ts';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import type { DecisionLock } from './decision-lock.ts';
import { findSigner, type SignedTypedData } from './find-signer.ts';

type SettleDecisionParts = {
  challenges: ChallengeStore;
  cards: CardsClient;
  accounts: AccountsClient;
  wallets: WalletsClient;
  contracts: ContractSigners;
  acs: AccessControlServer;
  lock: DecisionLock;
  runtime: Pick<Runtime, 'now'>;
};

type SubmittedDecision = { challengeId: string; decision: Decision; signature: string };

type Caller = { caller: { userId: string }; logger: Logger };

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

/** Reports whether the remembered challenge already had all typed data that is now stored for the decision. */
const knewAllTypedData = (remembered: Challenge, stored: Challenge, decision: Decision): boolean => {
  const known = new Set(remembered.issued[decision].map(({ nonce }) => nonce));
  return stored.issued[decision].every(({ nonce }) => known.has(nonce));
};

/** Requires that an approval can still be paid: the card or its account may have been blocked since the challenge was raised. */
const requirePayable = async ({ cards, accounts, submitted }: Work, { cardId, accountId }: Challenge): Promise<void> => {
  if (submitted.decision !== 'approve') return;
  const [card, account] = await Promise.all([cards.find(cardId), accounts.find(accountId)]);
  if (card?.active !== true) throw new CodedError('CARD_NOT_ACTIVE');
  if (account?.active !== true) throw new CodedError('ACCOUNT_NOT_ACTIVE');
};

/**
 * The typed data that was signed; undefined for a bad signature, which takes precedence over a card or account that is not active.
 * Signature and card are checked at the same time, because the cardholder waits.
 */
const verify = async (work: Work, challenge: Challenge): Promise<SignedTypedData | undefined> => {
  const { contracts, submitted } = work;
  // A signature that no signer of this challenge can make, such as a Safe's on a chain without a node, does not count as an attempt.
  if (!hasSignatureShape(submitted.signature) && !contracts.serves(challenge.chainId)) throw new CodedError('INVALID_SIGNATURE');
  const [signed, payable] = await Promise.allSettled([findSigner(work, challenge, submitted), requirePayable(work, challenge)]);
  if (signed.status === 'rejected') throw signed.reason;
  if (signed.value !== undefined && payable.status === 'rejected') throw payable.reason;
  return signed.value;
};

/** Makes the decision if it is signed; counts a bad signature otherwise. */
const decide = async (work: Work, challenge: Challenge, signed: SignedTypedData | undefined): Promise<Challenge> => {
  const { challenges, runtime, acs, submitted } = work;
  // The time of the write, not of the request's arrival: verifying the signature took time.
  const now = runtime.now();
  if (signed === undefined) {
    const attemptsLeft = await challenges.countBadSignature(challenge, now);
    throw new CodedError('INVALID_SIGNATURE', attemptsLeft === undefined ? {} : { metadata: { attemptsLeft: `${attemptsLeft}` } });
  }
  const receipt = { ...signed, decidedAt: now };
  const confirmed = acs.confirmsAtOnce === true && challenge.confirmsLater !== true;
  const decided = await challenges.decide(challenge, submitted.decision, receipt, confirmed);
  if (decided !== undefined) return decided;
  // A concurrent write changed the challenge.
  const stored = await read(work);
  if (stored.outcome === 'standing') return stored.challenge;
  // Still open, but newer typed data has displaced the typed data that was signed.
  throw new CodedError('INVALID_SIGNATURE');
};

/**
 * Makes a signed decision, or finds that the same decision was made before. The conditional write decides whether a decision is still
 * possible; memory and the lock only save reads and verifications.
 * @returns the challenge with the decision
 * @throws CodedError CHALLENGE_NOT_FOUND, INVALID_SIGNATURE, DECISION_NOT_AVAILABLE, DECISION_ALREADY_MADE, CARD_NOT_ACTIVE,
 * ACCOUNT_NOT_ACTIVE, WALLET_COOLING, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const settleDecision = async (parts: SettleDecisionParts, submitted: SubmittedDecision, call: Caller): Promise<Challenge> => {
  const work = { ...parts, submitted, call };
  const remembered = recallOpen(work);
  const stored = remembered === undefined ? await read(work) : undefined;
  if (stored?.outcome === 'standing') return stored.challenge;

  return parts.lock(submitted.challengeId, async (contended) => {
    // Tries the write on the remembered state, and reads the challenge only if the signature does not match that state.
    const tried = contended ? undefined : remembered;
    if (tried !== undefined) {
      const signed = await verify(work, tried);
      if (signed !== undefined) return decide(work, tried, signed);
    }
    const { challenge, outcome } = contended || stored === undefined ? await read(work) : stored;
    if (outcome === 'standing') return challenge;
    const alreadyVerified = tried !== undefined && knewAllTypedData(tried, challenge, submitted.decision);
    return decide(work, challenge, alreadyVerified ? undefined : await verify(work, challenge));
  });
};
