import type { GetCardControlsRequest } from '@florin/proto/card/v1/payment_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import { seriesOf } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireControls } from './to-wire-spending.ts';

/** Returns the controls of a card. */
export const getCardControls = ({ cards, spendings }: Dependencies) =>
  userOrServiceMethod(async (request: GetCardControlsRequest, { caller }) => {
    const { cardId } = request;
    const spending = await spendings.find(seriesOf(await findOwnCard(cards, cardId, caller)));
    return { controls: toWireControls(spending?.controls ?? {}) };
  });
