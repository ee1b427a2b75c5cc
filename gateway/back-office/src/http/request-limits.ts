import { CodedError } from '@florin/rpc/errors';
import { requesterOf } from '@florin/rpc/requester';

const WINDOW_MS = 60_000;

/** Addresses whose counts are kept at the same time; beyond them, counting begins anew, so that memory stays bounded. */
const MAX_ADDRESSES = 10_000;

/** Requests that invite guessing have less. Behind a proxy all operators have one address. */
const PER_MINUTE = { general: 1200, 'sign-in': 60 } as const;

/** Counts a request of an address. @throws CodedError RATE_LIMITED */
export type TakeRequest = (kind: keyof typeof PER_MINUTE, address: string) => void;

/** Limits of one process, in windows of a minute. */
export const createRequestLimits = (
  now: () => number,
  perMinute: Readonly<Record<keyof typeof PER_MINUTE, number>> = PER_MINUTE,
): TakeRequest => {
  const counts = new Map<string, { count: number; endsAt: number }>();
  return (kind, address) => {
    const key = `${kind} ${requesterOf(address) ?? address}`;
    const time = now();
    const known = counts.get(key);
    if (known === undefined || known.endsAt <= time) {
      if (counts.size >= MAX_ADDRESSES) counts.clear();
      counts.set(key, { count: 1, endsAt: time + WINDOW_MS });
      return;
    }
    known.count += 1;
    if (known.count > perMinute[kind]) {
      throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(Math.ceil((known.endsAt - time) / 1000)) } });
    }
  };
};
