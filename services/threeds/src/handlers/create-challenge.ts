import type { CreateChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { hashInput } from '@florin/rpc/hashing';
import { amountSchema, minorUnitDigits } from '@florin/rpc/money';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Merchant, merchantSchema } from '../domain/merchant.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const DEFAULT_LIFETIME_SECONDS = 300;

/** The idempotency key of a challenge: references are unique within the calling service. */
export const referenceKey = (callerName: string, reference: string): string => JSON.stringify([callerName, reference]);

/** A caller's own id of a challenge. */
export const referenceSchema = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'must be 1 to 100 printable characters');

const fieldsSchema = z.object({
  reference: referenceSchema,
  cardId: uuidSchema,
  amount: amountSchema,
  currency: z.string().refine((code) => minorUnitDigits(code) !== undefined, 'must be an active ISO 4217 code'),
  decimals: z.int(),
  merchant: merchantSchema.optional().transform((given): Merchant => given ?? {}),
  expiresInSeconds: z
    .int()
    .min(0)
    .max(900)
    .transform((value) => (value === 0 ? DEFAULT_LIFETIME_SECONDS : value)),
  confirmsLater: z.boolean(),
});

const requestSchema = fieldsSchema.refine(({ currency, decimals }) => minorUnitDigits(currency) === decimals, {
  path: ['decimals'],
  error: 'must be the number of digits of the minor unit of the currency (ISO 4217)',
});

/**
 * Raises a challenge. The reference is bound to its content and to the challenge's id first, so a repeat after a kill and a concurrent
 * twin use the same id, and the insert under that `_id` happens once. A rejected request (card not found, account not active) may be
 * repeated later with the same content; other content requires another reference.
 * @throws CodedError CARD_NOT_FOUND, CARD_NOT_ACTIVE, ACCOUNT_NOT_ACTIVE, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const createChallenge = ({ runtime, challenges, reservations, cards, accounts }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: CreateChallengeRequest, call) => {
    const { reference, expiresInSeconds, confirmsLater, ...payment } = parseRequest(requestSchema, request);
    const callerName = call.caller.name;
    const { resourceId: id, repeated } = await reservations.reserve({
      key: referenceKey(callerName, reference),
      inputHash: hashInput({ ...payment, expiresInSeconds, ...(confirmsLater ? { confirmsLater } : {}) }),
      newId: runtime.newId(),
      now: runtime.now(),
    });
    const existing = repeated ? await challenges.find(id) : undefined;
    if (existing !== undefined) return { challenge: toWireChallenge(await challenges.exactAt(existing, runtime.now())) };

    const card = await cards.get(payment.cardId);
    if (!card.active) throw new CodedError('CARD_NOT_ACTIVE');
    const account = await accounts.find(card.accountId);
    if (account === undefined || !account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    // The signer must be the payer.
    if (account.userId !== card.userId) throw new Error('card and account belong to different users');

    const createdAt = runtime.now();
    const challenge = await challenges.insert({
      ...payment,
      id,
      reference,
      callerName,
      userId: card.userId,
      accountId: card.accountId,
      last4: card.last4,
      chainId: account.chainId,
      ...(account.safeAddress === undefined ? {} : { safeAddress: account.safeAddress }),
      ...(confirmsLater ? { confirmsLater } : {}),
      status: 'pending',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1000),
      issued: { approve: [], decline: [] },
      badSignatures: 0,
    });
    return { challenge: toWireChallenge(await challenges.exactAt(challenge, runtime.now())) };
  });
