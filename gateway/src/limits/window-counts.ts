import { createHmac } from 'node:crypto';
import type { Logger } from '@florin/rpc/observe';
import type { Addition, SharedCounts } from './shared-counts.ts';

export const WINDOW_MS = 60_000;

/** How long counts wait for their settlement at most. */
const SETTLE_EVERY_MS = 100;

/** After a failed settlement, this process counts alone for this long before it tries again. */
const ALONE_MS = 1000;

/** How often a store that keeps failing is logged, in milliseconds. */
const LOG_EVERY_MS = 10_000;

/** The part of a limit that a process may admit before it knows what the others have admitted. */
const UNSETTLED_SHARE = 0.02;

/** The count of one subject in its current window. */
export type Count = {
  /** Requests that may still be admitted, as far as this process knows. */
  left: number;
  secondsLeft: number;
  /** Identifies the subject without naming it. */
  partition: string;
};

/** The verdict on a request, and the count after it. */
export type Verdict = { admitted: boolean; count: Count };

export type WindowCounts = {
  /** Counts a request of a subject. The promise, if there is one, resolves once the shared count is known. */
  take: (subject: string) => Verdict | Promise<Verdict>;
};

type Entry = {
  /** Name of the subject in the shared store. */
  hash: string;
  endsAt: number;
  partition: string;
  /** The total of all processes at the last settlement. */
  settled: number;
  /** Admitted here since, and being settled now. */
  sending: number;
  /** Admitted here since. */
  unsettled: number;
};

/** The name of a subject in the shared store, which holds no addresses, and the part of it that responses show. */
const hashOf = (subject: string, key: Uint8Array): { hash: string; partition: string } => {
  const digest = createHmac('sha256', key).update(subject).digest();
  return { hash: digest.toString('base64url'), partition: digest.subarray(0, 6).toString('base64') };
};

/**
 * Counts requests per subject in windows of a minute that start with the first request. Each process counts for itself and settles with the others in batches, so most
 * requests wait for nothing. A process admits at most 2 % of the limit, and at least one request, before it settles. With n processes, a
 * subject therefore exceeds its limit by at most (n - 1) × max(1, 2 %). Rejected requests are not counted. While the shared counts are
 * unavailable, or whoever writes the store takes them away, each process applies the limit alone.
 *
 * @param options `hashKey` is the same in all processes; `shared` is absent for limits of a single process; `now` returns milliseconds
 */
export const createWindowCounts = ({
  name,
  limit,
  hashKey,
  shared,
  logger,
  now = Date.now,
}: {
  name: string;
  limit: number;
  hashKey: Uint8Array;
  shared?: SharedCounts;
  logger: Logger;
  now?: () => number;
}): WindowCounts => {
  const batch = Math.max(1, Math.floor(limit * UNSETTLED_SHARE));
  const entries = new Map<string, Entry>();
  const dirty = new Set<Entry>();
  let sweepAt = 0;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let settling: Promise<void> | undefined;

  const sweep = (time: number): void => {
    if (time < sweepAt) return;
    sweepAt = time + WINDOW_MS;
    for (const [subject, { endsAt }] of entries) if (endsAt <= time) entries.delete(subject);
  };

  const entryOf = (subject: string, time: number): Entry => {
    const known = entries.get(subject);
    if (known !== undefined && time < known.endsAt) return known;
    sweep(time);
    const entry = { ...hashOf(subject, hashKey), endsAt: time + WINDOW_MS, settled: 0, sending: 0, unsettled: 0 };
    entries.set(subject, entry);
    return entry;
  };

  const usedOf = ({ settled, sending, unsettled }: Entry): number => settled + sending + unsettled;

  const verdict = (entry: Entry, admitted: boolean, time: number): Verdict => ({
    admitted,
    count: { left: Math.max(0, limit - usedOf(entry)), secondsLeft: Math.ceil((entry.endsAt - time) / 1000), partition: entry.partition },
  });

  const fail = (err: unknown): void => {
    aloneUntil = now() + ALONE_MS;
    if (now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = now();
    logger.warn({ err, limit: name }, 'settling rate limits failed, counting in this process only');
  };

  const settleNow = async (counts: SharedCounts): Promise<void> => {
    const batchOf = [...dirty].filter(({ endsAt }) => now() < endsAt);
    dirty.clear();
    const additions = batchOf.map((entry): Addition => {
      entry.sending = entry.unsettled;
      entry.unsettled = 0;
      return { key: `florin:gateway:rate:${name}:${entry.hash}`, count: entry.sending };
    });
    try {
      const totals = await counts.add(additions, WINDOW_MS);
      for (const [index, entry] of batchOf.entries()) {
        const known = entry.settled + entry.sending;
        const { total, leftMs } = totals[index] ?? { total: known, leftMs: WINDOW_MS };
        entry.sending = 0;
        entry.settled = Math.max(known, total);
        // The window is that of the process whose count came first. Where the count is gone or was changed, what is known here holds until its window ends.
        if (total >= known) entry.endsAt = now() + Math.min(leftMs, WINDOW_MS);
      }
    } catch (err) {
      fail(err);
      for (const entry of batchOf) {
        entry.unsettled += entry.sending;
        entry.sending = 0;
        if (now() < entry.endsAt) dirty.add(entry);
      }
    }
  };

  /** Settles all counts, after the settlement that is under way. */
  const settle = (counts: SharedCounts): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    settling ??= settleNow(counts).finally(() => {
      settling = undefined;
      if (dirty.size > 0) plan(counts, SETTLE_EVERY_MS);
    });
    return settling;
  };

  const plan = (counts: SharedCounts, delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (now() < aloneUntil) plan(counts, ALONE_MS);
      else void settle(counts);
    }, delayMs).unref();
  };

  const admit = (entry: Entry): void => {
    entry.unsettled += 1;
    if (shared === undefined) return;
    dirty.add(entry);
    if (entry.unsettled >= batch && now() >= aloneUntil) void settle(shared);
    else plan(shared, SETTLE_EVERY_MS);
  };

  const takeShared = async (counts: SharedCounts, subject: string): Promise<Verdict> => {
    for (;;) {
      const time = now();
      const entry = entryOf(subject, time);
      const mayAdmit = entry.unsettled + entry.sending < batch || time < aloneUntil;
      if (usedOf(entry) >= limit || mayAdmit) {
        const admitted = usedOf(entry) < limit;
        if (admitted) admit(entry);
        return verdict(entry, admitted, time);
      }
      await settle(counts);
    }
  };

  return {
    take: (subject) => {
      const time = now();
      const entry = entryOf(subject, time);
      if (usedOf(entry) >= limit) return verdict(entry, false, time);
      if (shared !== undefined && entry.unsettled + entry.sending >= batch && time >= aloneUntil) return takeShared(shared, subject);
      admit(entry);
      return verdict(entry, true, time);
    },
  };
};
