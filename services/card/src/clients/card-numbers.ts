import { type CardNumberFace, CardNumberService } from '@florin/proto/vault/v1/card_number_service';
import type { RpcChannel } from '@florin/rpc/client';
import type { CardFace } from '../domain/card.ts';
import type { CardExpiry } from '../domain/card-term.ts';

/** The vault's card numbers. This service sees their last four digits only. */
export type CardNumbersClient = {
  /**
   * Makes the number of a card. Idempotent by `cardId`.
   * @throws CodedError CARD_NUMBERS_EXHAUSTED, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  issue: (order: CardExpiry & { cardId: string; userId: string }, signal: AbortSignal) => Promise<CardFace>;
  /**
   * Gives a card a later expiry. Idempotent by card and expiry.
   * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  renew: (order: CardExpiry & { cardId: string }, signal: AbortSignal) => Promise<CardFace>;
  /**
   * The card's number, expiry and security code as a JWE to the processor's key, which this service cannot open.
   * @throws CodedError CARD_NOT_FOUND, PROCESSOR_KEY_NOT_CONFIGURED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  seal: (cardId: string, signal: AbortSignal) => Promise<string>;
};

const toFace = (face: CardNumberFace | undefined): CardFace => {
  if (face === undefined) throw new Error('the vault returned no face');
  const { last4, expMonth, expYear, network } = face;
  return { last4, expMonth, expYear, network };
};

export const createCardNumbersClient = (channel: RpcChannel): CardNumbersClient => {
  const client = channel.client(CardNumberService);
  return {
    issue: async (order, signal) => {
      return toFace((await client.issueCardNumber(order, { signal })).face);
    },
    renew: async (order, signal) => {
      return toFace((await client.renewCardNumber(order, { signal })).face);
    },
    seal: async (cardId, signal) => {
      return (await client.sealCardNumber({ cardId }, { signal })).jwe;
    },
  };
};
