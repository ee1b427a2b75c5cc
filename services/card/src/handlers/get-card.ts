import type { GetCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/**
 * Returns any card to a platform service.
 * @throws CodedError VALIDATION_FAILED, CARD_NOT_FOUND
 */
export const getCard = ({ cards, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readCards, async (request: GetCardRequest) => {
    const { cardId } = parseRequest(requestSchema, request);
    const card = await cards.find(cardId);
    if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
    return { card: toWireCard(card, runtime.now()) };
  });
