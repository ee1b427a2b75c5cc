import { CodedError } from '@florin/rpc/errors';

/** Streams of one user at one gateway: several devices with several windows each. */
const MAX_STREAMS_PER_USER = 10;

/** Streams of one gateway. Each holds a connection to a service. */
const MAX_STREAMS = 10_000;

const RETRY_AFTER_SECONDS = '10';

export type StreamSlots = {
  /**
   * Takes a slot. @returns the function that releases it
   * @throws CodedError RATE_LIMITED when the subject has too many streams, SERVICE_UNAVAILABLE when the gateway has
   */
  take: (subject: string) => () => void;
};

/** Limits the number of open streams. It is counted per process, because that is where a stream uses memory. */
export const createStreamSlots = (): StreamSlots => {
  const open = new Map<string, number>();
  let total = 0;
  return {
    take: (subject) => {
      const count = open.get(subject) ?? 0;
      if (count >= MAX_STREAMS_PER_USER) throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
      if (total >= MAX_STREAMS) throw new CodedError('SERVICE_UNAVAILABLE');
      open.set(subject, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (open.get(subject) ?? 1) - 1;
        if (left === 0) open.delete(subject);
        else open.set(subject, left);
      };
    },
  };
};
