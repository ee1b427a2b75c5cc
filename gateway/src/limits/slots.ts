import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { createSlots, type Slots } from '@florin/rpc/slots';

/** Per process, because that is where what runs uses memory and connections. A subject without a slot gets the code. */
const slotsOf = (perOwner: number, total: number, code: ErrorCode, retryAfterSeconds: string): Slots<string> =>
  createSlots({ perOwner, total }, (limit) =>
    limit === 'total' ? new CodedError('SERVICE_UNAVAILABLE') : new CodedError(code, { metadata: { retryAfterSeconds } }),
  );

/** Event streams: several devices of a user with several windows each. */
export const createStreamSlots = (): Slots<string> => slotsOf(10, 10_000, 'STREAM_LIMIT_REACHED', '10');

/** CSV tables: each makes many calls, over the few connections that tables have, and holds one page of rows in memory. */
export const createTableSlots = (): Slots<string> => slotsOf(1, 64, 'RATE_LIMITED', '5');
