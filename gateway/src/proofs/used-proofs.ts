import { createHash } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { within } from '@florin/rpc/time';

/** How long a proof is remembered: longer than it can be valid, 60 seconds before and after its `iat`. */
const KEPT_MS = 130_000;

/** Most proofs that a process remembers: some tens of megabytes. */
const MAX_PROOFS = 100_000;

/** A request may wait this long for Redis. */
const TIMEOUT_MS = 250;

/** Remembers proofs, so that each is used once (RFC 9449, section 11.1). */
export type UsedProofs = {
  /**
   * Records the use of a proof. Returns false when it was used before.
   * @throws CodedError SERVICE_UNAVAILABLE when neither Redis nor this process can remember it
   */
  use: (proof: { jkt: string; jti: string }) => Promise<boolean>;
};

/**
 * Remembers proofs in Redis, which all gateways of a deployment share, and in this process. While Redis is unavailable, a proof is used at most
 * once at each gateway, and a gateway that cannot remember more proofs rejects new ones.
 * @param options `now` is a monotonic clock in milliseconds
 */
export const createUsedProofs = ({
  redis,
  logger,
  now = () => performance.now(),
  maxProofs = MAX_PROOFS,
}: {
  redis: Pick<Redis, 'set'>;
  logger: Logger;
  now?: () => number;
  maxProofs?: number;
}): UsedProofs => {
  /** Ends of the times for which proofs are kept. All are kept equally long, so the oldest is first. */
  const used = new Map<string, number>();

  const forgetExpired = (time: number): void => {
    for (const [key, until] of used) {
      if (until > time) return;
      used.delete(key);
    }
  };

  /** @returns undefined when Redis is unavailable */
  const isFirstAnywhere = async (key: string): Promise<boolean | undefined> => {
    try {
      const options = { condition: 'NX', expiration: { type: 'PX', value: KEPT_MS } } as const;
      return (await within(TIMEOUT_MS, redis.set(`florin:gateway:proof:${key}`, '', options))) !== null;
    } catch (err) {
      logger.warn({ err }, 'proofs are remembered by this process only');
      return undefined;
    }
  };

  return {
    use: async ({ jkt, jti }) => {
      const key = createHash('sha256').update(`${jkt}.${jti}`).digest('base64url');
      const time = now();
      forgetExpired(time);
      if (used.has(key)) return false;
      const hasRoom = used.size < maxProofs;
      // Before anything is awaited, so that of two uses at the same time one wins.
      used.set(key, time + KEPT_MS);
      const isFirst = await isFirstAnywhere(key);
      // Redis alone remembers what exceeds the limit.
      if (!hasRoom) used.delete(key);
      if (!hasRoom && isFirst === undefined) {
        throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many proofs while Redis is unavailable' });
      }
      return isFirst ?? true;
    },
  };
};
