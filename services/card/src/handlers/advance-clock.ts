import type { AdvanceClockRequest } from '@florin/proto/card/v1/sandbox_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Expired payments of one user that are looked at. */
const MAX_EXPIRED = 1000;

/** Moves the clock of the caller's cards on, and expires what has expired by then. */
export const advanceClock = ({ clocks, expiring, runtime }: Dependencies) =>
  userMethod(async ({ seconds }: AdvanceClockRequest, { caller, logger }) => {
    const { own, ahead } = await clocks.advance(caller.userId, seconds);
    const now = new Date(runtime.now().getTime() + ahead * 1000);
    const ids = own.map(({ id }) => id);
    await expiring.expireAll(now, MAX_EXPIRED, logger, ids);
    return { secondsAhead: BigInt(ahead) };
  });
