import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import { CardStatus as Wire } from '@florin/proto/card/v1/card';
import type { ListCardsRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Card, CardStatus } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { statusFromWire, toWireCard } from './to-wire.ts';
import { readLimits } from './to-wire-spending.ts';

const requestSchema = z.object({ page: pageSchema });

const parseFilter = (wire: Wire): CardStatus | undefined => {
  if (wire === Wire.UNSPECIFIED) return undefined;
  const status = statusFromWire(wire);
  if (status === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'status: must be a known card status' });
  return status;
};

/**
 * Returns a page of a user's cards, newest first. Cards added later never shift the pages after a cursor.
 * @throws CodedError VALIDATION_FAILED
 */
export const listCards = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(CARD_SCOPES.readCards, async (request: ListCardsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const now = runtime.now();
    const { limit, cursor } = parseRequest(requestSchema, request).page;
    const query = { limit: limit + 1, before: decodeIdCursor(cursor), status: parseFilter(request.status), now };
    const { rows, nextCursor } = cutPage(await cards.page(userId, query), limit, ({ id }) => encodeIdCursor(id));
    const withLimits = async (card: Card) => toWireCard(card, now, caller, await readLimits(dependencies, card));
    return { cards: await Promise.all(rows.map(withLimits)), page: { nextCursor } };
  });
};
