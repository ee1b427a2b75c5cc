import type { RenewCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { compareExpiry } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { toFace } from './to-face.ts';

/** Gives a card a later expiry. Of two concurrent renewals the later expiry stands. */
export const renewCardNumber = ({ cards }: Dependencies) =>
  serviceMethod(async (request: RenewCardNumberRequest) => {
    const { cardId, expMonth, expYear } = request;
    const next = { expMonth, expYear };
    for (;;) {
      const card = await cards.find(cardId);
      if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
      const order = compareExpiry(next, card);
      if (order < 0) throw new CodedError('CARD_STATE_CONFLICT', { message: 'the card has a later expiry' });
      if (order === 0 || (await cards.setExpiry(cardId, card, next))) return { face: toFace({ ...card, ...next }) };
    }
  });
