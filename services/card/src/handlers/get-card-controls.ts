import type { GetCardControlsRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireControls } from './to-wire-spending.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/** Returns the controls of a card. */
export const getCardControls = ({ cards, spendings }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.readCards, async (request: GetCardControlsRequest, { caller }) => {
    const { cardId } = parseRequest(requestSchema, request);
    const spending = await spendings.find(seriesOf(await findOwnCard(cards, cardId, caller)));
    return { controls: toWireControls(spending?.controls ?? {}) };
  });
