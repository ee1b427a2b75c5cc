import type { Redis } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { rateLimited } from '../domain/rate-limited.ts';
import { TAKE_PLACE } from '../otp/scripts.ts';

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Exports of one user within a day. */
const PER_USER = 5;

/** Counts an export. @throws CodedError RATE_LIMITED */
export type TakeExport = (userId: string) => Promise<void>;

export const createExportLimit =
  (redis: Redis, { now, newId }: Pick<Runtime, 'now' | 'newId'>): TakeExport =>
  async (userId) => {
    const args = [now().getTime(), WINDOW_MS, PER_USER, newId()].map(String);
    const waitMs = Number(await redis.eval(TAKE_PLACE, { keys: [`florin:identity:exports:${userId}`], arguments: args }));
    if (waitMs > 0) throw rateLimited(waitMs);
  };
