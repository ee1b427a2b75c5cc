import { createHmac } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import { createSealer } from '@florin/rpc/crypto';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import type { DerivedKeys } from './keys.ts';

/** Lifetime of the marker of a running request: longer than any request runs (its calls take 15 s at most), and short enough that a killed gateway does not block repeats for long. */
const RUNNING_MS = 20_000;
const TAKE_ATTEMPTS = 3;

/** Records that a caller can have per day; a record is at most some kilobytes. It keeps a caller from filling Redis. */
export const MAX_RECORDS = 1000;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Stores or deletes the record only if it is this request's own marker or absent: after the marker expires, the key may belong to a retry. */
const FINISH = `
local held = redis.call('get', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`;

/** Counts a kept record. The counter expires a day after its first record. */
const COUNT = `
local count = redis.call('incr', KEYS[1])
if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return count`;

const recordSchema = z.object({
  /** HMAC of the request. A plain hash would reveal short secrets in the body, such as a six-digit code. */
  asked: z.string(),
  /** Id of the run; absent once finished. */
  owner: z.string().optional(),
  /** Sealed status and body; absent while running. */
  answer: z.string().optional(),
});

const answerSchema = z.object({ status: z.int(), body: z.unknown() });
export type StoredAnswer = z.output<typeof answerSchema>;

/** Either the kept response, or the right to run the request and the duty to finish the record. */
export type Claim =
  | { replay: StoredAnswer }
  | {
      replay?: undefined;
      /** Keeps the response for repeats. */
      keep: (answer: StoredAnswer) => Promise<void>;
      /** Deletes the record, so that a repeat runs again. */
      release: () => Promise<void>;
    };

export type IdempotencyRecords = {
  /**
   * Claims a key for a request with this content.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, RATE_LIMITED (the caller has `MAX_RECORDS`), SERVICE_UNAVAILABLE (Redis is unavailable, so the guarantee cannot be given)
   */
  claim: (keys: DerivedKeys, content: unknown) => Promise<Claim>;
};

const readRecord = async ({ recordName, sealKey }: DerivedKeys, asked: string, text: string): Promise<Claim> => {
  const record = recordSchema.parse(JSON.parse(text));
  if (record.asked !== asked) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
  if (record.answer === undefined) throw new CodedError('IDEMPOTENCY_IN_PROGRESS', { metadata: { retryAfterSeconds: '1' } });
  return { replay: answerSchema.parse(JSON.parse(await createSealer(sealKey).open(record.answer, recordName))) };
};

/** Responses by Idempotency-Key (draft-ietf-httpapi-idempotency-key-header), one Redis record each, written in single atomic steps. */
export const createIdempotencyRecords = (redis: Redis, runtime: Runtime): IdempotencyRecords => {
  const finish = async (name: string, marker: string, record: string): Promise<void> => {
    await redis.eval(FINISH, { keys: [name], arguments: [marker, record, String(KEPT_MS)] });
  };
  /** Sets the marker, or returns the existing record. It takes two commands, because SET with both NX and GET requires Redis 7. */
  const take = async (name: string, marker: string): Promise<string | undefined> => {
    for (let attempt = 0; attempt < TAKE_ATTEMPTS; attempt += 1) {
      const set = await redis.set(name, marker, { condition: 'NX', expiration: { type: 'PX', value: RUNNING_MS } });
      if (set !== null) return undefined;
      const held = await redis.get(name);
      // Null: the record expired or was released between the two commands.
      if (held !== null) return held;
    }
    throw new CodedError('IDEMPOTENCY_IN_PROGRESS', { metadata: { retryAfterSeconds: '1' } });
  };
  return {
    claim: async (keys, content) => {
      const { recordName, counterName, sealKey, hashKey } = keys;
      const asked = createHmac('sha256', hashKey).update(hashInput(content)).digest('base64url');
      const marker = JSON.stringify({ asked, owner: runtime.newId() });
      const [held, count] = await Promise.all([take(recordName, marker), redis.get(counterName)]);
      if (held !== undefined) return readRecord(keys, asked, held);
      if (Number(count ?? 0) >= MAX_RECORDS) {
        const [waitMs] = await Promise.all([redis.pTTL(counterName), finish(recordName, marker, '')]);
        const retryAfterSeconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
        throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds } });
      }
      return {
        keep: async (answer) => {
          const sealed = await createSealer(sealKey).seal(JSON.stringify(answer), recordName);
          const record = JSON.stringify({ asked, answer: sealed });
          await Promise.all([finish(recordName, marker, record), redis.eval(COUNT, { keys: [counterName], arguments: [String(KEPT_MS)] })]);
        },
        release: () => finish(recordName, marker, ''),
      };
    },
  };
};
