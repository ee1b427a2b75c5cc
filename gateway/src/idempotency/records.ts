import { createHmac } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Redis } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import type { DerivedKeys } from './keys.ts';
import { seal, unseal } from './seal.ts';

/** Life of the marker of a running request: longer than any request runs, short enough that a killed gateway blocks nobody for long. */
const RUNNING_MS = 60_000;
const TAKE_ATTEMPTS = 3;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Stores or deletes only over our own marker or nothing: when the marker ran out, the key may belong to a retry by now. */
const FINISH = `
local held = redis.call('get', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`;

const recordSchema = z.object({
  /** HMAC of what was asked. Not a plain hash: a body may hold a six-digit code, which a plain hash would give away. */
  asked: z.string(),
  /** Who runs it; absent once finished. */
  owner: z.string().optional(),
  /** Sealed status and body; absent while running. */
  answer: z.string().optional(),
});

const answerSchema = z.object({ status: z.int(), body: z.unknown() });
export type StoredAnswer = z.output<typeof answerSchema>;

/** Either the answer that was given before, or the right to run and the duty to finish. */
export type Claim =
  | { replay: StoredAnswer }
  | {
      replay?: undefined;
      /** Keeps the answer for repeats. */
      keep: (answer: StoredAnswer) => Promise<void>;
      /** Forgets the request, so that a repeat runs again. */
      release: () => Promise<void>;
    };

export type IdempotencyRecords = {
  /**
   * Claims a key for a request with this content.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, SERVICE_UNAVAILABLE (Redis is away: the promise cannot be made)
   */
  claim: (keys: DerivedKeys, content: unknown) => Promise<Claim>;
};

const readRecord = (keys: DerivedKeys, asked: string, text: string): Claim => {
  const record = recordSchema.parse(JSON.parse(text));
  if (record.asked !== asked) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
  if (record.answer === undefined) throw new CodedError('IDEMPOTENCY_IN_PROGRESS');
  return { replay: answerSchema.parse(JSON.parse(unseal(keys.sealKey, record.answer))) };
};

/** Answers by Idempotency-Key in Redis (draft-ietf-httpapi-idempotency-key-header), one record each, written in single atomic steps. */
export const createIdempotencyRecords = (redis: Redis, runtime: Runtime): IdempotencyRecords => {
  const finish = async (name: string, marker: string, record: string): Promise<void> => {
    await redis.eval(FINISH, { keys: [name], arguments: [marker, record, String(KEPT_MS)] });
  };
  /** Sets our marker, or answers what is there. Two commands, because SET with NX and GET together needs Redis 7. */
  const take = async (name: string, marker: string): Promise<string | undefined> => {
    for (let attempt = 0; attempt < TAKE_ATTEMPTS; attempt += 1) {
      const set = await redis.set(name, marker, { condition: 'NX', expiration: { type: 'PX', value: RUNNING_MS } });
      if (set !== null) return undefined;
      const held = await redis.get(name);
      // Nothing: it ran out or was released between the two commands.
      if (held !== null) return held;
    }
    throw new CodedError('IDEMPOTENCY_IN_PROGRESS');
  };
  return {
    claim: async (keys, content) => {
      const { recordName, sealKey, hashKey } = keys;
      const asked = createHmac('sha256', hashKey).update(hashInput(content)).digest('base64url');
      const marker = JSON.stringify({ asked, owner: runtime.newId() });
      const held = await take(recordName, marker);
      if (held !== undefined) return readRecord(keys, asked, held);
      return {
        keep: (answer) =>
          finish(recordName, marker, JSON.stringify({ asked, answer: seal(sealKey, JSON.stringify(answer), runtime.randomBytes) })),
        release: () => finish(recordName, marker, ''),
      };
    },
  };
};
