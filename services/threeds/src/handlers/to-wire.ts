import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { messageDigest, toWireTypedMessage } from '@florin/evm/typed-messages';
import {
  ChallengeSchema,
  DecisionReceiptSchema,
  type Challenge as WireChallenge,
  ChallengeStatus as WireChallengeStatus,
  Decision as WireDecision,
  type DecisionReceipt as WireReceipt,
  SignerType as WireSignerType,
} from '@florin/proto/threeds/v1/challenge';
import type { Challenge, Decision, Receipt } from '../domain/challenge.ts';
import { CHALLENGE_STATUSES, type ChallengeStatus } from '../domain/challenge-state.ts';
import { receiptFingerprint } from '../receipts/fingerprint.ts';

const STATUS: Readonly<Record<ChallengeStatus, WireChallengeStatus>> = {
  pending: WireChallengeStatus.PENDING,
  processing: WireChallengeStatus.PROCESSING,
  approved: WireChallengeStatus.APPROVED,
  declined: WireChallengeStatus.DECLINED,
  cancelled: WireChallengeStatus.CANCELLED,
  expired: WireChallengeStatus.EXPIRED,
  failed: WireChallengeStatus.FAILED,
};

const DECISION: Readonly<Record<Decision, WireDecision>> = { approve: WireDecision.APPROVE, decline: WireDecision.DECLINE };

/** The status of a wire value; undefined for an unknown one. */
export const statusFromWire = (value: number): ChallengeStatus | undefined => CHALLENGE_STATUSES.find((status) => STATUS[status] === value);

/** A challenge as callers see it. Its status must be exact. */
export const toWireChallenge = (challenge: Challenge): WireChallenge => {
  const { id, status, cardId, accountId, amount, currency, decimals, merchant, decision, expiresAt, createdAt, reference, last4 } =
    challenge;
  return create(ChallengeSchema, {
    id,
    cardId,
    accountId,
    amount,
    currency,
    decimals,
    merchant,
    status: STATUS[status],
    decision: decision === undefined ? WireDecision.UNSPECIFIED : DECISION[decision],
    expiresAt: timestampFromDate(expiresAt),
    decisionAvailable: status === 'pending',
    createdAt: timestampFromDate(createdAt),
    reference,
    cardLast4: last4,
  });
};

const toSignerProof = (receipt: Receipt) =>
  receipt.signerType === 'safe'
    ? { signerType: WireSignerType.SAFE, blockNumber: BigInt(receipt.blockNumber) }
    : { signerType: WireSignerType.WALLET };

/** The evidence, with every fact that the signed text contains, so that a reader can rebuild and compare the text. */
export const toWireReceipt = (challenge: Challenge, decision: Decision, receipt: Receipt): WireReceipt => {
  const { id, amount, currency, decimals, last4, merchant, expiresAt } = challenge;
  const wire = create(DecisionReceiptSchema, {
    challengeId: id,
    decision: DECISION[decision],
    typedData: toWireTypedMessage(receipt.typedData),
    signature: receipt.signature,
    signer: receipt.signer,
    issuedAt: timestampFromDate(receipt.issuedAt),
    decidedAt: timestampFromDate(receipt.decidedAt),
    ...toSignerProof(receipt),
    amount,
    currency,
    decimals,
    cardLast4: last4,
    merchant,
    expiresAt: timestampFromDate(expiresAt),
    typedDataHash: messageDigest(receipt.typedData),
  });
  return { ...wire, fingerprint: receiptFingerprint(wire) };
};
