import type { FindCardRequest } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { PAN_SHAPE } from '../domain/pan.ts';
import { openMessage } from '../reveals/open-message.ts';
import type { Dependencies } from './dependencies.ts';
import { jweSchema } from './fields.ts';

const requestSchema = z.object({ jwe: jweSchema });
const messageSchema = z.object({ pan: z.string().regex(PAN_SHAPE) });

/**
 * Finds the card of a number.
 * @throws CodedError CARD_NOT_FOUND, SEALED_MESSAGE_INVALID, VALIDATION_FAILED
 */
export const findCard = ({ claims, keys }: Dependencies) =>
  serviceMethod(VAULT_SCOPES.checkCardNumbers, async (request: FindCardRequest) => {
    const { jwe } = parseRequest(requestSchema, request);
    const { pan } = openMessage(messageSchema, await keys.exchange.open(jwe));
    const cardId = await claims.findCard(keys.hashPan(pan));
    if (cardId === undefined) throw new CodedError('CARD_NOT_FOUND');
    return { cardId };
  });
