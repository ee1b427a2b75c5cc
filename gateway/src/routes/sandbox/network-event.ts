import type { CallOptions } from '@connectrpc/connect';
import type { Payment, PaymentAmount } from '@florin/proto/card/v1/payment';
import type { EventReference } from '@florin/proto/card/v1/processor_service';
import { CodedError } from '@florin/rpc/errors';
import { minorUnitDigits } from '@florin/rpc/money';
import { pause } from '@florin/rpc/time';
import { z } from 'zod';
import type { OwnCall } from '../../clients/own-calls.ts';
import type { Upstream } from '../../clients/upstream.ts';
import { currencyInput, id, present } from '../../schemas/fields.ts';
import { displayed } from '../../schemas/text.ts';

/** An amount of one event, in the minor unit of its currency. */
export const networkAmount = z
  .string()
  .regex(/^(?:[1-9][0-9]{0,14}|1000000000000000)$/, 'must be an integer in the minor unit, from 1 to 10^15')
  .meta({ description: "Integer in the currency's minor unit", examples: ['1999'] });

/** How the network delivers an event. */
export const deliveryShape = {
  repeat: z.int().min(1).max(5).default(1).meta({ description: 'How often the event is sent; every answer is the same' }),
  delayMs: z.int().min(0).max(5000).default(0).meta({ description: 'Delay before it is sent' }),
  loseAnswer: z.boolean().default(false).meta({ description: 'The first answer is lost, and the event is sent again' }),
};
type Delivery = { repeat: number; delayMs: number; loseAnswer: boolean };

/** A merchant of the card network. */
export const cardMerchantInput = z
  .strictObject({
    id: displayed(35).optional(),
    name: displayed(40).optional(),
    city: displayed(40).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .optional(),
    categoryCode: z
      .string()
      .regex(/^[0-9]{4}$/, 'must be four digits')
      .optional()
      .meta({ description: 'Merchant category code (ISO 18245)', examples: ['5411'] }),
  })
  .meta({ id: 'SandboxCardMerchant' });

export const toNetworkMerchant = (merchant: z.output<typeof cardMerchantInput> | undefined) => ({
  id: merchant?.id ?? '',
  name: merchant?.name ?? '',
  city: merchant?.city ?? '',
  country: merchant?.country ?? '',
  categoryCode: merchant?.categoryCode ?? '',
});

export const currencyOrBilling = currencyInput.optional().meta({ description: 'Default: the currency of the payment' });

export const toNetworkAmount = (amount: string, currency: string): Omit<PaymentAmount, '$typeName'> => ({
  amount,
  currency,
  decimals: minorUnitDigits(currency) ?? 0,
  billingAmount: '',
});

/** Sends an event as its delivery says, and returns the last answer. */
export const deliver = async <T>({ repeat, delayMs, loseAnswer }: Delivery, send: () => Promise<T>): Promise<T> => {
  if (delayMs > 0) await pause(delayMs);
  let answer = await send();
  const more = Math.max(repeat - 1, loseAnswer ? 1 : 0);
  for (let sent = 0; sent < more; sent += 1) answer = await send();
  return answer;
};

/** The payment on which an event was recorded. @throws CodedError CURRENCY_NOT_SUPPORTED when the event is in suspense, because there is no rate */
export const bookedPayment = (payment: Payment | undefined): Payment => {
  if (payment === undefined) throw new CodedError('CURRENCY_NOT_SUPPORTED');
  return payment;
};

/** References of a network event that the sandbox sends: without the codes that only a real network gives. */
export const eventReference = (eventId: string, cardId: string, transactionId: string): Omit<EventReference, '$typeName'> => ({
  eventId: `sandbox-${eventId}`,
  transactionId,
  cardId,
  authorizationCode: '',
  retrievalReference: '',
});

/** @throws CodedError CARD_NOT_FOUND unless the card is the caller's */
export const requireOwnCard = async (upstream: Upstream, cardId: string, asCaller: CallOptions): Promise<void> => {
  await upstream.cards.getCard({ cardId }, asCaller);
};

type NetworkPayment = { event: Omit<EventReference, '$typeName'>; currency: string };

/**
 * The payment that an operation is about: the caller's, or one that is still to come, whose id the network has chosen.
 * @param cardId the card of a payment that is still to come
 * @throws CodedError PAYMENT_NOT_FOUND, CARD_NOT_FOUND, VALIDATION_FAILED for another card than the payment's
 */
export const findNetworkPayment = async (
  { upstream, asCaller, requestKey }: { upstream: Upstream; asCaller: CallOptions; asGateway: OwnCall; requestKey: string },
  transactionId: string,
  cardId: string | undefined,
): Promise<NetworkPayment> => {
  try {
    const found = present((await upstream.cardPayments.getPayment({ paymentId: transactionId }, asCaller)).payment, 'the card transaction');
    if (cardId !== undefined && cardId !== found.cardId)
      throw new CodedError('VALIDATION_FAILED', { message: 'cardId: must be the card of the payment' });
    return {
      event: eventReference(requestKey, found.cardId, found.transactionId),
      currency: found.originalCurrency,
    };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'PAYMENT_NOT_FOUND' || cardId === undefined) throw error;
    await requireOwnCard(upstream, cardId, asCaller);
    const { limits } = await upstream.cardPayments.getCardLimits({ cardId }, asCaller);
    return { event: eventReference(requestKey, cardId, transactionId), currency: limits?.currency ?? '' };
  }
};

/** Parameters of the operations on one payment. */
export const networkParams = z.object({
  transactionId: id.meta({
    description: 'Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come',
  }),
});
