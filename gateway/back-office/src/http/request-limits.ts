import { CodedError } from '@florin/rpc/errors';
import { requesterOf } from '@florin/rpc/requester';

const WINDOW_MS = 60_000;

/** Counts that are kept at the same time, so that memory stays bounded. */
const MAX_COUNTS = 10_000;

/** Requests that invite guessing have less. Behind a proxy all operators have one address. */
const PER_MINUTE = { general: 1200, 'sign-in': 60 } as const;

/** Counts a request of an address. @throws CodedError RATE_LIMITED */
export type TakeRequest = (kind: keyof typeof PER_MINUTE, address: string) => void;

type Counted = { count: number; endsAt: number };

/** Makes room for another count: the windows that are over go, else the address with the fewest requests, so that no number of addresses makes a busy one start anew. */
const makeRoom = (counts: Map<string, Counted>, time: number): void => {
  let least: [key: string, count: number] = ['', Number.POSITIVE_INFINITY];
  for (const [key, { count, endsAt }] of counts) {
    if (endsAt <= time) counts.delete(key);
    else if (count < least[1]) least = [key, count];
  }
  if (counts.size >= MAX_COUNTS) counts.delete(least[0]);
};

/** Limits of one process, in windows of a minute. */
export const createRequestLimits = (
  now: () => number,
  perMinute: Readonly<Record<keyof typeof PER_MINUTE, number>> = PER_MINUTE,
): TakeRequest => {
  const counts = new Map<string, Counted>();
  return (kind, address) => {
    const key = `${kind} ${requesterOf(address) ?? address}`;
    const time = now();
    const known = counts.get(key);
    if (known === undefined || known.endsAt <= time) {
      if (known === undefined && counts.size >= MAX_COUNTS) makeRoom(counts, time);
      counts.set(key, { count: 1, endsAt: time + WINDOW_MS });
      return;
    }
    known.count += 1;
    if (known.count > perMinute[kind]) {
      throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(Math.ceil((known.endsAt - time) / 1000)) } });
    }
  };
};
