import { CodedError } from './errors/index.ts';
import { within } from './time.ts';

export type CoalesceOptions<I, O> = {
  /**
   * Does the work for several items at once. Resolves to one outcome per item, in their order.
   * `timeoutMs` is the longest time that one of the callers still waits; undefined when one of them waits without limit.
   */
  send: (items: readonly I[], options: { timeoutMs: number | undefined }) => Promise<readonly O[]>;
  /** Most items of a call. */
  maxItems: number;
  /** Calls that are in flight at the same time. */
  maxCalls: number;
  /**
   * Shortest time between the starts of two calls, in milliseconds: under load, items wait that long and share a call. While a call is in flight, they
   * wait for its end, up to 50 ms after its start: the longer calls take, the more items share the next one. An item that comes later than `spacingMs`
   * and finds nothing in flight is not delayed, and `maxItems` items do not wait. Default: 0, then calls overlap at once.
   */
  spacingMs?: number;
  /**
   * With a spacing, items also wait after a call as long as it took, at most this many milliseconds: at most half of the time goes into calls. This
   * halves the cost of the calls on a busy machine, and makes what waits for several of them in turn slower. Default: 0.
   */
  maxRestMs?: number;
  /** Size of an item, in the unit of `maxWeight`. Default: 0. */
  weigh?: (item: I) => number;
  /** Largest sum of the sizes of a call's items; a larger item is sent by itself. Default: no limit. */
  maxWeight?: number;
  /** Reports whether a call that failed with this error has done nothing, and a single item of it may be the reason. Default: never. */
  mayBlameItem?: (error: unknown) => boolean;
};

/** The `spacingMs` of what many requests of a service share: longer than a call takes to be put together, shorter than one takes. */
export const SHARED_SPACING_MS = 2;

/** The `maxRestMs` of calls that cost many times what one more item in them does. */
export const SHARED_REST_MS = 20;

/** A call that does not end delays those after it no longer than this. */
const OVERLAP_MS = 50;

type Pause = { endsAt: number; timer: NodeJS.Timeout | undefined };

const NO_PAUSE: Pause = { endsAt: Number.POSITIVE_INFINITY, timer: undefined };

type Waiting<I, O> = {
  item: I;
  endsAt: number;
  /** True once the caller has its outcome. A timer may fire a little before `endsAt`, as the clock has it. */
  isOver: boolean;
  resolve: (outcome: O) => void;
  reject: (error: unknown) => void;
};

/**
 * Gathers single items into calls: what arrives while calls are in flight goes out with the next one, in order. An item that finds nothing in flight
 * is not delayed. Every caller gets the outcome of its own item, keeps its own deadline, and gets its own error: a call that failed because of what
 * is in it is repeated in halves until only the items that cause the failure fail.
 * @returns a function that submits an item. It rejects with the error of the call, or with SERVICE_UNAVAILABLE after `timeoutMs`: an item that was
 * not sent by then is dropped, one that was sent may have been carried out
 */
export const createCoalescer = <I, O>(options: CoalesceOptions<I, O>): ((item: I, given?: { timeoutMs?: number }) => Promise<O>) => {
  const { send, maxItems, maxCalls, spacingMs = 0, maxRestMs = 0, weigh = () => 0 } = options;
  const { maxWeight = Number.POSITIVE_INFINITY, mayBlameItem = () => false } = options;
  let waiting: Waiting<I, O>[] = [];
  let inFlight = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let pause = NO_PAUSE;

  /** The items at the front that fit one call, without those whose callers have been told that the time is over. */
  const take = (): Waiting<I, O>[] => {
    const now = performance.now();
    const taken: Waiting<I, O>[] = [];
    let weight = 0;
    let end = 0;
    for (const one of waiting) {
      if (!one.isOver && one.endsAt > now) {
        weight += weigh(one.item);
        if (taken.length > 0 && (taken.length === maxItems || weight > maxWeight)) break;
        taken.push(one);
      }
      end += 1;
    }
    waiting = waiting.slice(end);
    return taken;
  };

  const call = async (group: readonly Waiting<I, O>[]): Promise<void> => {
    const left = Math.max(...group.map(({ endsAt }) => endsAt)) - performance.now();
    try {
      const items = group.map(({ item }) => item);
      const outcomes = await send(items, { timeoutMs: Number.isFinite(left) ? Math.max(1, Math.ceil(left)) : undefined });
      if (outcomes.length !== group.length) {
        throw new CodedError('INTERNAL_ERROR', { message: `${outcomes.length} outcomes for ${group.length} items` });
      }
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as O);
    } catch (error) {
      if (group.length > 1 && mayBlameItem(error)) {
        const half = group.length >> 1;
        await Promise.all([call(group.slice(0, half)), call(group.slice(half))]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  };

  const nextStartAt = (): number => {
    if (spacingMs === 0) return Number.NEGATIVE_INFINITY;
    return inFlight > 0 ? startedAt + Math.max(spacingMs, OVERLAP_MS) : Math.max(startedAt + spacingMs, restsUntil);
  };

  /** Starts calls at this time, if not earlier. */
  const startAt = (time: number): void => {
    if (time >= pause.endsAt) return;
    clearTimeout(pause.timer);
    const timer = setTimeout(
      () => {
        pause = NO_PAUSE;
        start();
      },
      Math.ceil(time - performance.now()),
    );
    pause = { endsAt: time, timer };
  };

  const start = (): void => {
    while (inFlight < maxCalls && waiting.length > 0) {
      const now = performance.now();
      const allowedAt = nextStartAt();
      if (now < allowedAt && waiting.length < maxItems) {
        startAt(allowedAt);
        return;
      }
      const group = take();
      if (group.length === 0) return;
      startedAt = now;
      inFlight += 1;
      void call(group).finally(() => {
        inFlight -= 1;
        const endedAt = performance.now();
        restsUntil = endedAt + Math.min(maxRestMs, endedAt - now);
        start();
      });
    }
  };

  return (item, { timeoutMs } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    const one = { item, endsAt: performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY), isOver: false, resolve, reject };
    waiting.push(one);
    // Items of the same turn of the event loop share a call.
    if (waiting.length === 1 || waiting.length === maxItems) queueMicrotask(start);
    if (timeoutMs === undefined) return promise;
    return within(timeoutMs, promise).finally(() => {
      one.isOver = true;
    });
  };
};

export type CoalescedReadsOptions<T> = Pick<CoalesceOptions<string, T | undefined>, 'maxItems' | 'maxCalls' | 'spacingMs' | 'maxRestMs'> & {
  /** Returns the values that exist, by id. Each id is given once. */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
};

/**
 * Reads single values by id. Reads that arrive while queries are under way share the next one, and those of one id an item of it, so that
 * many readers cost few queries. A query starts after the reads that it serves were requested, so each sees every write that had been
 * acknowledged before it.
 * @returns a function that returns undefined for an id without a value, and rejects with the error of `load`
 */
export const createCoalescedReads = <T>({ load, ...options }: CoalescedReadsOptions<T>): ((id: string) => Promise<T | undefined>) => {
  const waiting = new Map<string, Promise<T | undefined>>();
  const submit = createCoalescer<string, T | undefined>({
    ...options,
    send: async (ids) => {
      // A read from now on needs another query.
      for (const id of ids) waiting.delete(id);
      const found = await load(ids);
      return ids.map((id) => found.get(id));
    },
  });
  return (id) => {
    const shared = waiting.get(id) ?? submit(id);
    waiting.set(id, shared);
    return shared;
  };
};
