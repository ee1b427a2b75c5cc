import type { AdvanceClockRequest } from '@florin/proto/card/v1/sandbox_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_SECONDS = 366 * 86_400;

/** Cards and expired payments of one user that are looked at. */
const MAX_CARDS = 1000;
const MAX_EXPIRED = 1000;

const requestSchema = z.object({ seconds: z.number().int().min(1).max(MAX_SECONDS) });

/** Moves the clock of the caller's cards on, and expires what has expired by then. */
export const advanceClock = ({ cards, book, expiring, runtime }: Dependencies) =>
  userMethod(async (request: AdvanceClockRequest, { caller, logger }) => {
    const { seconds } = parseRequest(requestSchema, request);
    const now = runtime.now();
    const own = await cards.page(caller.userId, { limit: MAX_CARDS, before: undefined, status: undefined, now });
    let ahead = 0;
    for (const series of new Set(own.map(seriesOf))) {
      ahead = await book.change(series, (spending) => {
        const clockAhead = spending.clockAhead + seconds;
        return { spending: { ...spending, clockAhead }, result: clockAhead };
      });
      const ids = own.flatMap((card) => (seriesOf(card) === series ? [card.id] : []));
      await expiring.expireAll(new Date(now.getTime() + ahead * 1000), MAX_EXPIRED, logger, ids);
    }
    return { secondsAhead: BigInt(ahead) };
  });
