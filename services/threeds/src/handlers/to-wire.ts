import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { messageDigest, toWireTypedMessage } from '@florin/evm/typed-messages';
import {
  ChallengeSchema,
  DecisionReceiptSchema,
  type Challenge as WireChallenge,
  type DecisionReceipt as WireReceipt,
  SignerType as WireSignerType,
} from '@florin/proto/threeds/v1/challenge';
import type { Challenge, Decision, Receipt } from '../domain/challenge.ts';
import { receiptFingerprint } from '../receipts/fingerprint.ts';
import { DECISION_WORDS, STATUS_WORDS } from './from-wire.ts';

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
    status: STATUS_WORDS.toValue(status),
    decision: DECISION_WORDS.toValue(decision),
    expiresAt: timestampFromDate(expiresAt),
    decisionAvailable: status === 'pending',
    createdAt: timestampFromDate(createdAt),
    reference,
    cardLast4: last4,
    dsTransactionId: challenge.dsTransactionId ?? '',
    requestorInitiated: challenge.requestorInitiated ?? false,
    ...(challenge.receipt === undefined ? {} : { decidedAt: timestampFromDate(challenge.receipt.decidedAt) }),
    paymentId: challenge.consumedBy?.paymentId ?? '',
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
    decision: DECISION_WORDS.toValue(decision),
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
