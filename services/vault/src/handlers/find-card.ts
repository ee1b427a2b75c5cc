import type { FindCardRequest } from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { PAN_SHAPE } from '../domain/pan.ts';
import { openMessage } from '../reveals/open-message.ts';
import type { Dependencies } from './dependencies.ts';

const messageSchema = z.object({ pan: z.string().regex(PAN_SHAPE) });

/** Finds the card of a number. */
export const findCard = ({ claims, keys }: Dependencies) =>
  serviceMethod(async ({ jwe }: FindCardRequest) => {
    const { pan } = openMessage(messageSchema, await keys.exchange.open(jwe));
    const cardId = await claims.findCard(keys.hashPan(pan));
    if (cardId === undefined) throw new CodedError('CARD_NOT_FOUND');
    return { cardId };
  });
