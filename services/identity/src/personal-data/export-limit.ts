import type { Runtime } from '@florin/rpc/runtime';
import { rateLimited } from '../domain/rate-limited.ts';
import type { LimitWindowStore } from '../store/limit-windows.ts';

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Exports of one user within a day. */
const PER_USER = 5;

/** Counts an export. @throws CodedError RATE_LIMITED */
export type TakeExport = (userId: string) => Promise<void>;

export const createExportLimit =
  (windows: LimitWindowStore, { now, newId }: Pick<Runtime, 'now' | 'newId'>): TakeExport =>
  async (userId) => {
    const waitMs = await windows.take(`exports:${userId}`, { now: now(), windowMs: WINDOW_MS, max: PER_USER, id: newId() });
    if (waitMs > 0) throw rateLimited(waitMs);
  };
