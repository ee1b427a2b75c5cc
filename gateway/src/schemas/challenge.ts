import type { Timestamp } from '@bufbuild/protobuf/wkt';
import {
  ChallengeStatus,
  Decision,
  type Challenge as WireChallenge,
  type Merchant as WireMerchant,
} from '@florin/proto/threeds/v1/challenge';
import { z } from 'zod';
import { amount, currency, dateTime, id, present, toIso } from './fields.ts';
import { displayed } from './text.ts';
import { wordsOf } from './words.ts';

export const decision = wordsOf(Decision);
export const challengeStatus = wordsOf(ChallengeStatus);

/** Section 2.2 of the specification. */
export const merchant = z
  .object({
    id: z.string().max(35).optional(),
    displayName: z.string().max(40).optional(),
    country: z.string().max(3).optional(),
    categoryCode: z.string().max(4).optional(),
  })
  .meta({ id: 'ThreeDSMerchant' });

/** A merchant as the sandbox accepts it: the formats that the 3DS service requires. */
export const merchantInput = z
  .strictObject({
    id: displayed(35).optional(),
    displayName: displayed(40).optional().meta({ description: 'Name that the cardholder sees; begins with a visible character' }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .optional()
      .meta({ description: 'ISO 3166-1 alpha-2 code', examples: ['DE'] }),
    categoryCode: z
      .string()
      .regex(/^[0-9]{4}$/, 'must be four digits')
      .optional()
      .meta({ description: 'Merchant category code (ISO 18245)', examples: ['5942'] }),
  })
  .meta({ id: 'SandboxMerchant' });

/** Section 2.1 of the specification; `cardLast4`, the times besides `expiresAt`, and `cardTransactionId` are additions. */
export const challenge = z
  .object({
    id,
    cardId: id,
    accountId: id,
    amount: amount.optional(),
    currency: currency.optional(),
    decimals: z.int().min(0).max(4).optional().meta({ format: 'int32' }),
    cardLast4: z
      .string()
      .regex(/^[0-9]{4}$/)
      .meta({ description: 'Last four digits of the card, as in the text that the wallet shows' }),
    merchant,
    status: challengeStatus.schema,
    decision: decision.schema.optional().meta({ description: 'Present once a decision was submitted' }),
    createdAt: dateTime.optional(),
    decidedAt: dateTime.optional().meta({ description: 'When the decision was submitted; present with it' }),
    cardTransactionId: id.optional().meta({ description: 'The card transaction that has used the approval' }),
    expiresAt: dateTime,
    decisionAvailable: z
      .boolean()
      .meta({ description: 'True while a decision can be submitted: the status is `pending` and `expiresAt` has not passed' }),
  })
  .meta({ id: 'ThreeDSChallenge' });

/** Section 2.3 of the specification. */
export const challengeDetail = z.object({ serverTime: dateTime, challenge }).meta({ id: 'ThreeDSChallengeDetailResponse' });

/** Drops empty strings, because proto3 does not distinguish them from absent ones. */
const filled = <K extends string>(fields: Record<K, string>): Partial<Record<K, string>> =>
  Object.fromEntries(Object.entries<string>(fields).filter(([, value]) => value !== '')) as Partial<Record<K, string>>;

export const toMerchant = (wire: WireMerchant | undefined): z.output<typeof merchant> =>
  wire === undefined ? {} : filled({ id: wire.id, displayName: wire.displayName, country: wire.country, categoryCode: wire.categoryCode });

export const toChallenge = (wire: WireChallenge): z.output<typeof challenge> => ({
  id: wire.id,
  cardId: wire.cardId,
  accountId: wire.accountId,
  // The three fields go together: currency and decimals have no meaning without an amount.
  ...(wire.amount === '' ? {} : { amount: wire.amount, currency: wire.currency, decimals: wire.decimals }),
  cardLast4: wire.cardLast4,
  merchant: toMerchant(wire.merchant),
  status: challengeStatus.toWord(wire.status),
  ...(wire.decision === Decision.UNSPECIFIED ? {} : { decision: decision.toWord(wire.decision) }),
  ...(wire.createdAt === undefined ? {} : { createdAt: toIso(wire.createdAt) }),
  ...(wire.decidedAt === undefined ? {} : { decidedAt: toIso(wire.decidedAt) }),
  ...(wire.paymentId === '' ? {} : { cardTransactionId: wire.paymentId }),
  expiresAt: toIso(wire.expiresAt),
  decisionAvailable: wire.decisionAvailable,
});

export const toChallengeDetail = (wire: {
  challenge?: WireChallenge | undefined;
  serverTime?: Timestamp | undefined;
}): z.output<typeof challengeDetail> => ({
  serverTime: toIso(wire.serverTime),
  challenge: toChallenge(present(wire.challenge, 'challenge')),
});
