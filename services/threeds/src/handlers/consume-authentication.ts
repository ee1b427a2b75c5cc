import type { ConsumeAuthenticationRequest } from '@florin/proto/threeds/v1/authentication_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { merchantText, uuidSchema } from '@florin/rpc/fields';
import { amountSchema } from '@florin/rpc/money';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

/** A request's id within its payment. */
export const requestIdSchema = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable ASCII characters');

/** Decided requests of a payment that a request may name. */
const MAX_DECIDED = 1000;

const approvedSchema = z.preprocess((text) => (text === '' ? '0' : text), z.union([z.literal('0'), amountSchema]));

const requestSchema = z.object({
  challengeId: uuidSchema,
  cardId: uuidSchema,
  paymentId: uuidSchema,
  requestId: requestIdSchema,
  amount: amountSchema,
  approvedBefore: approvedSchema,
  decidedRequestIds: z.array(requestIdSchema).max(MAX_DECIDED, `must have at most ${MAX_DECIDED} items`),
  merchantId: merchantText(35),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
});

/**
 * Uses an approval up for a request of a payment.
 * @throws CodedError CHALLENGE_NOT_FOUND, AUTHENTICATION_NOT_USABLE, VALIDATION_FAILED
 */
export const consumeAuthentication = ({ challenges, consumptions, runtime }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.consumeAuthentications, async (request: ConsumeAuthenticationRequest) => {
    const { challengeId, amount, approvedBefore, ...rest } = parseRequest(requestSchema, request);
    const presented = { ...rest, amount: BigInt(amount), approvedBefore: BigInt(approvedBefore) };
    const challenge = await challenges.get(challengeId, runtime.now());
    if (!(await consumptions.consume(challenge.id, presented, runtime.now()))) {
      throw new CodedError('AUTHENTICATION_NOT_USABLE');
    }
    return {};
  });
