import type { RenewCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { compareExpiry } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { expiryFields } from './fields.ts';
import { toFace } from './to-face.ts';

const requestSchema = z.object({ cardId: uuidSchema, ...expiryFields });

/**
 * Gives a card a later expiry. Of two concurrent renewals the later expiry stands.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, VALIDATION_FAILED
 */
export const renewCardNumber = ({ cards }: Dependencies) =>
  serviceMethod(VAULT_SCOPES.writeCardNumbers, async (request: RenewCardNumberRequest) => {
    const { cardId, ...next } = parseRequest(requestSchema, request);
    for (;;) {
      const card = await cards.find(cardId);
      if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
      const order = compareExpiry(next, card);
      if (order < 0) throw new CodedError('CARD_STATE_CONFLICT', { message: 'the card has a later expiry' });
      if (order === 0 || (await cards.setExpiry(cardId, card, next))) return { face: toFace({ ...card, ...next }) };
    }
  });
