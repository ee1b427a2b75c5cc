import type { FieldCipher } from '@florin/data/encryption';
import type { Redis } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import { emailKeyOf } from '../domain/email.ts';

const MAX_MESSAGES = 20;
const KEPT_SECONDS = 24 * 60 * 60;

const messageSchema = z.object({
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  text: z.string(),
  code: z.string(),
  sentAt: z.coerce.date(),
});

export type SandboxMessage = z.output<typeof messageSchema>;

/** Messages that a sandbox keeps instead of sending them, encrypted: the newest 20 per recipient, for a day. */
export type SandboxOutbox = {
  keep: (message: Omit<SandboxMessage, 'sentAt'>) => Promise<void>;
  /** Newest first. */
  list: (to: string) => Promise<SandboxMessage[]>;
  forget: (to: string) => Promise<void>;
};

export const createSandboxOutbox = (redis: Redis, runtime: Pick<Runtime, 'now'>, cipher: FieldCipher): SandboxOutbox => {
  const keyOf = (to: string): string => `florin:identity:sandbox-outbox:${cipher.hash('outbox', emailKeyOf(to))}`;
  const placeOf = (key: string) => ({ collection: 'sandbox-outbox', id: key, field: 'message' });
  return {
    keep: async (message) => {
      const key = keyOf(message.to);
      await redis
        .multi()
        .lPush(key, cipher.encrypt(JSON.stringify({ ...message, sentAt: runtime.now() }), placeOf(key)))
        .lTrim(key, 0, MAX_MESSAGES - 1)
        .expire(key, KEPT_SECONDS)
        .exec();
    },
    list: async (to) => {
      const key = keyOf(to);
      const kept = await redis.lRange(key, 0, MAX_MESSAGES - 1);
      return kept.map((stored) => messageSchema.parse(JSON.parse(cipher.decrypt(stored, placeOf(key)))));
    },
    forget: async (to) => {
      await redis.del(keyOf(to));
    },
  };
};
