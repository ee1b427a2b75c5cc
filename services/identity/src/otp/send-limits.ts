import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import { TAKE_PLACE } from './scripts.ts';

const WINDOW_MS = 60 * 60 * 1000;

/** How many codes an hour may go to one recipient, whoever asks, and be asked for by one wallet or user, for whomever. */
const PER_RECIPIENT = 5;
const PER_OWNER = 10;

export type SendLimits = {
  /**
   * Counts one message against its recipient and its owner.
   * @returns how to give the places back when nothing was sent after all
   * @throws CodedError RATE_LIMITED
   */
  take: (input: { purpose: string; recipient: string; owner: string }) => Promise<() => Promise<void>>;
};

/** @param waitMs how long until a repeat can succeed */
export const rateLimited = (waitMs: number): CodedError =>
  new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(Math.max(1, Math.ceil(waitMs / 1000))) } });

export const createSendLimits = ({ redis, runtime, key }: { redis: Redis; runtime: Runtime; key: Uint8Array }): SendLimits => ({
  take: async ({ purpose, recipient, owner }) => {
    const place = runtime.newId();
    const taken: string[] = [];
    const giveBack = async () => {
      for (const limit of taken) await redis.zRem(limit, place);
    };
    const limits = [
      ['recipient', recipient, PER_RECIPIENT],
      ['owner', owner, PER_OWNER],
    ] as const;
    for (const [kind, whose, places] of limits) {
      const limit = `florin:identity:otp-limit:${purpose}:${keyedHash(key, ['limit', kind, purpose, whose])}`;
      const args = [runtime.now().getTime(), WINDOW_MS, places, place].map(String);
      const waitMs = Number(await redis.eval(TAKE_PLACE, { keys: [limit], arguments: args }));
      if (waitMs > 0) {
        await giveBack();
        throw rateLimited(waitMs);
      }
      taken.push(limit);
    }
    return giveBack;
  },
});
