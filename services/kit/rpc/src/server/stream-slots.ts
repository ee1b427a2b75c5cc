import { CodedError } from '../errors/index.ts';

/** How many streams may be open at once: of one client, and of all clients together. */
export type StreamLimits = { perClient: number; total: number };

/** Streams of a process. A client that follows each of its challenges by a stream of its own needs thousands. */
export const STREAM_LIMITS: StreamLimits = { perClient: 8192, total: 16_384 };

export type StreamSlots = {
  /** @returns the function that releases the slot @throws CodedError STREAM_LIMIT_REACHED */
  take: (client: string) => () => void;
};

/** Counts the streams that are open at a process. */
export const createStreamSlots = ({ perClient, total }: StreamLimits): StreamSlots => {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take: (client) => {
      const own = open.get(client) ?? 0;
      if (own >= perClient || all >= total) throw new CodedError('STREAM_LIMIT_REACHED', { metadata: { retryAfterSeconds: '10' } });
      open.set(client, own + 1);
      all += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        all -= 1;
        const left = (open.get(client) ?? 1) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      };
    },
  };
};
