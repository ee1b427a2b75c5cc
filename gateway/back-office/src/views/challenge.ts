import {
  ChallengeStatus,
  Decision,
  type DecisionReceipt,
  SignerType,
  type Challenge as WireChallenge,
} from '@florin/proto/threeds/v1/challenge';
import type { Challenge, ChallengeDetail } from '../contract/index.ts';
import { isoOf, wordOf } from './words.ts';

export const toChallenge = (challenge: WireChallenge): Challenge => ({
  id: challenge.id,
  cardId: challenge.cardId,
  cardLast4: challenge.cardLast4,
  ...(challenge.amount === '' ? {} : { amount: { amount: challenge.amount, decimals: challenge.decimals, currency: challenge.currency } }),
  merchant: { name: challenge.merchant?.displayName ?? '', country: challenge.merchant?.country ?? '' },
  status: wordOf(ChallengeStatus, challenge.status),
  ...(challenge.decision === Decision.UNSPECIFIED ? {} : { decision: wordOf(Decision, challenge.decision) }),
  reference: challenge.reference,
  createdAt: isoOf(challenge.createdAt),
  expiresAt: isoOf(challenge.expiresAt),
});

export const toReceipt = (receipt: DecisionReceipt): NonNullable<ChallengeDetail['receipt']> => ({
  decision: wordOf(Decision, receipt.decision),
  signer: receipt.signer,
  signerType: wordOf(SignerType, receipt.signerType),
  signature: receipt.signature,
  typedDataHash: receipt.typedDataHash,
  fingerprint: receipt.fingerprint,
  issuedAt: isoOf(receipt.issuedAt),
  decidedAt: isoOf(receipt.decidedAt),
});
