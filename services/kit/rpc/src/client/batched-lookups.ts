import { createCoalescedReads, SHARED_REST_MS, SHARED_SPACING_MS } from '../coalesce.ts';
import { within } from '../time.ts';
import { currentCall } from '../tracing/index.ts';
import { withinRequest } from './client.ts';

/** Most ids of a call, as the contracts of the batch RPCs have it. */
const MAX_IDS = 100;

/** A service that does not respond delays those who ask it later only once this many calls wait for it. */
const MAX_CALLS = 16;

/** How much longer than for a call a caller waits, in milliseconds: a call that does not end tells the reason itself. */
const QUEUE_MS = 100;

type CallOptions = { headers?: Record<string, string>; timeoutMs: number };

/**
 * Looks up single records of another service by its batch RPC: what is asked soon after a call began or ended shares the next one. Every answer is of a call
 * that begins after its own request, so it is as fresh as the result of a single call. A call that serves several requests has the id of one of them.
 * @param timeoutMs longest duration of a call, retries included; a caller waits no longer than 100 ms more
 * @param load returns the records that exist, by id
 * @returns a function that returns undefined for an id without a record, and rejects with the error of `load`, or with SERVICE_UNAVAILABLE when too many
 * calls were under way
 */
export const createBatchedLookups = <T>(
  timeoutMs: number,
  load: (ids: readonly string[], options: CallOptions) => Promise<ReadonlyMap<string, T>>,
): ((id: string) => Promise<T | undefined>) => {
  const read = createCoalescedReads<T>({
    maxItems: MAX_IDS,
    maxCalls: MAX_CALLS,
    spacingMs: SHARED_SPACING_MS,
    maxRestMs: SHARED_REST_MS,
    load: (ids) => {
      const call = currentCall();
      return load(ids, { ...(call === undefined ? {} : withinRequest(call)), timeoutMs });
    },
  });
  return (id) => within(timeoutMs + QUEUE_MS, read(id));
};
