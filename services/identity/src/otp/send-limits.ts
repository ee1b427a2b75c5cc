import { requesterOf } from '@florin/rpc/requester';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import { rateLimited } from '../domain/rate-limited.ts';
import type { LimitWindowStore } from '../store/limit-windows.ts';

const WINDOW_MS = 60 * 60 * 1000;

/** Codes per hour for one wallet or user, from one requester, and from one requester to one recipient. */
const PER_OWNER = 10;
const PER_REQUESTER = 30;
const PER_REQUESTER_AND_RECIPIENT = 5;

/**
 * Codes per hour to one recipient, from all requesters together. Above the limit of a single requester, so that one person cannot use up
 * the codes of another; it takes several networks.
 */
const PER_RECIPIENT = { email: 25, phone: 10 } as const;

export type MessageToCount = {
  purpose: keyof typeof PER_RECIPIENT;
  recipient: string;
  /** The requesting wallet or user. */
  owner: string;
  /** IP address of the request; without it the owner is the requester. */
  ip: string;
};

export type SendLimits = {
  /**
   * Counts one message against the limits of its recipient, owner and requester.
   * @returns releases the places when nothing was sent
   * @throws CodedError RATE_LIMITED
   */
  take: (message: MessageToCount) => Promise<() => Promise<void>>;
};

type Parts = { windows: LimitWindowStore; runtime: Runtime; key: Uint8Array };

export const createSendLimits = ({ windows, runtime, key }: Parts): SendLimits => ({
  take: async ({ purpose, recipient, owner, ip }) => {
    const requester = requesterOf(ip) ?? owner;
    const place = runtime.newId();
    const taken: string[] = [];
    const giveBack = async () => {
      for (const limit of taken) await windows.release(limit, place);
    };
    const limits = [
      // The narrowest first: a request that is rejected by it does not touch the limit that others share.
      ['requester-recipient', [requester, recipient], PER_REQUESTER_AND_RECIPIENT],
      ['requester', [requester], PER_REQUESTER],
      ['owner', [owner], PER_OWNER],
      ['recipient', [recipient], PER_RECIPIENT[purpose]],
    ] as const;
    for (const [kind, whose, places] of limits) {
      const limit = keyedHash(key, ['limit', kind, purpose, ...whose]);
      const waitMs = await windows.take(limit, { now: runtime.now(), windowMs: WINDOW_MS, max: places, id: place });
      if (waitMs > 0) {
        await giveBack();
        throw rateLimited(waitMs);
      }
      taken.push(limit);
    }
    return giveBack;
  },
});
