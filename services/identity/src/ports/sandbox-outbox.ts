import { createHash } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import { emailKeyOf } from '../domain/email.ts';
import type { Mailer } from './mailer.ts';
import type { Texter } from './texter.ts';

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

/** What a sandbox would have sent: the newest messages per recipient, for a day. */
export type SandboxOutbox = {
  mailer: Mailer;
  texter: Texter;
  /** Newest first. */
  list: (to: string) => Promise<SandboxMessage[]>;
};

export const createSandboxOutbox = (redis: Redis, runtime: Runtime): SandboxOutbox => {
  const keyOf = (to: string): string => `florin:identity:sandbox-outbox:${createHash('sha256').update(emailKeyOf(to)).digest('base64url')}`;
  const keep = async (message: Omit<SandboxMessage, 'sentAt'>): Promise<void> => {
    const key = keyOf(message.to);
    await redis
      .multi()
      .lPush(key, JSON.stringify({ ...message, sentAt: runtime.now() }))
      .lTrim(key, 0, MAX_MESSAGES - 1)
      .expire(key, KEPT_SECONDS)
      .exec();
  };
  return {
    mailer: { send: ({ to, text, code }) => keep({ channel: 'email', to, text, code }) },
    texter: { send: ({ to, text, code }) => keep({ channel: 'sms', to, text, code }) },
    list: async (to) => (await redis.lRange(keyOf(to), 0, MAX_MESSAGES - 1)).map((text) => messageSchema.parse(JSON.parse(text))),
  };
};
