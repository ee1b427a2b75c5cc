import type { GetCardLimitsRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import { newSpending, spendingNow } from '../domain/spending.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireLimits } from './to-wire-spending.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/** Returns the limits of a card with their use. */
export const getCardLimits = ({ cards, spendings, program, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.readCards, async (request: GetCardLimitsRequest, { caller }) => {
    const { cardId } = parseRequest(requestSchema, request);
    const series = seriesOf(await findOwnCard(cards, cardId, caller));
    const spending = (await spendings.find(series)) ?? newSpending(series);
    return { limits: toWireLimits(spending, program, spendingNow(spending, runtime.now())) };
  });
