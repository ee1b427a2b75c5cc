import type { AdvanceClockRequest } from '@florin/proto/card/v1/sandbox_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const MAX_SECONDS = 366 * 86_400;

/** Expired payments of one user that are looked at. */
const MAX_EXPIRED = 1000;

const requestSchema = z.object({ seconds: z.number().int().min(1).max(MAX_SECONDS) });

/** Moves the clock of the caller's cards on, and expires what has expired by then. */
export const advanceClock = ({ clocks, expiring, runtime }: Dependencies) =>
  userMethod(async (request: AdvanceClockRequest, { caller, logger }) => {
    const { seconds } = parseRequest(requestSchema, request);
    const { own, ahead } = await clocks.advance(caller.userId, seconds);
    const now = new Date(runtime.now().getTime() + ahead * 1000);
    const ids = own.map(({ id }) => id);
    await expiring.expireAll(now, MAX_EXPIRED, logger, ids);
    return { secondsAhead: BigInt(ahead) };
  });
