import { createHash } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { COUNTED_TO, QUEUE_NAMES, QUEUES, type Queue, type QueueCounts, type QueueItem } from '../contract/index.ts';
import type { OperatorStore } from '../store/operators.ts';
import type { QueueItemStore, StoredQueueItem } from '../store/queue-items.ts';
import { createQueueSources, MAX_PAGES, type OpenItem, type QueueParts } from './queue-sources.ts';

const HOUR_MS = 3_600_000;

/** How long counts are told without being read again. */
const COUNTS_MS = 10_000;

type Call = { requestId: string };
type Count = QueueCounts['queues'][number];

/** An item without its notes, and when it is due. */
type Due = OpenItem & { dueAt: string; isOverdue: boolean };

/** The name of an item in the store. */
export const queueItemKey = (queue: Queue | 'people', itemId: string): string => `${queue}:${itemId}`;

const dueOf = (queue: Queue, { deadline, ...item }: OpenItem, now: Date): Due => {
  const dueAt = deadline ?? new Date(Date.parse(item.since) + QUEUES[queue].hours * HOUR_MS).toISOString();
  return { ...item, dueAt, isOverdue: Date.parse(dueAt) <= now.getTime() };
};

/** The notes of an item with the names of those who wrote them. */
export const toNotes = (notes: StoredQueueItem['notes'], names: ReadonlyMap<string, string>): QueueItem['notes'] =>
  notes.map(({ at, by, text }) => ({ at: at.toISOString(), by: names.get(by) ?? by, text }));

/** Reads queues: what is open at the services, with what operators have made of it. */
export const createQueues = ({
  operators,
  queueItems,
  ...parts
}: QueueParts & { operators: Pick<OperatorStore, 'names'>; queueItems: Pick<QueueItemStore, 'findMany'> }) => {
  const { runtime } = parts;
  const sources = createQueueSources(parts);

  /**
   * The open items, up to 1,000, the longest overdue first. All of them are read, because services list them in other orders, and some do not know when an item is due.
   */
  const open = async (queue: Queue, call: Call): Promise<{ items: Due[]; hasMore: boolean }> => {
    const items: OpenItem[] = [];
    let cursor: string | undefined = '';
    for (let left = MAX_PAGES; cursor !== undefined && left > 0; left -= 1) {
      const page = await sources[queue].page(call, cursor);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    const now = runtime.now();
    const due = items.map((item) => dueOf(queue, item, now)).toSorted((a, b) => a.dueAt.localeCompare(b.dueAt, 'en'));
    return { items: due.slice(0, COUNTED_TO), hasMore: cursor !== undefined };
  };

  const count = async (queue: Queue, call: Call): Promise<Count> => {
    const { items } = await open(queue, call);
    const stored = await queueItems.findMany(items.map(({ id }) => queueItemKey(queue, id)));
    const state = items.map(({ id, kind }) => [id, kind, stored.get(queueItemKey(queue, id))?.updatedAt]);
    const oldest = items.map(({ since }) => since).toSorted()[0];
    return {
      ...{ queue, count: items.length, overdue: items.filter(({ isOverdue }) => isOverdue).length },
      ...(oldest === undefined ? {} : { oldest }),
      revision: createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 16),
    };
  };

  let told: { counts: Promise<QueueCounts>; until: number } | undefined;
  const readCounts = async (call: Call): Promise<QueueCounts> => {
    const read = await Promise.allSettled(QUEUE_NAMES.map((queue) => count(queue, call)));
    return {
      queues: read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      unavailable: QUEUE_NAMES.filter((_, index) => read[index]?.status === 'rejected'),
    };
  };

  return {
    /** The counts of all queues, read once for all who ask within ten seconds. */
    counts: (call: Call): Promise<QueueCounts> => {
      const now = runtime.now().getTime();
      if (told === undefined || told.until <= now) told = { counts: readCounts(call), until: now + COUNTS_MS };
      return told.counts;
    },

    /** Has the counts read again: an item was changed here. */
    changed: (): void => {
      told = undefined;
    },

    /** The open items of a queue. */
    read: async (queue: Queue, call: Call): Promise<{ items: QueueItem[]; hasMore: boolean }> => {
      const { items, hasMore } = await open(queue, call);
      const stored = await queueItems.findMany(items.map(({ id }) => queueItemKey(queue, id)));
      const of = ({ id }: Due): Partial<StoredQueueItem> => stored.get(queueItemKey(queue, id)) ?? {};
      const involved = items.flatMap((item) => [of(item).assignee ?? '', ...(of(item).notes ?? []).map(({ by }) => by)]);
      const names = await operators.names([...new Set(involved)]);
      return {
        items: items.map((item) => {
          const { assignee, notes = [] } = of(item);
          return {
            ...item,
            ...(assignee === undefined ? {} : { assignee: { id: assignee, name: names.get(assignee) ?? assignee } }),
            notes: toNotes(notes, names),
          };
        }),
        hasMore,
      };
    },

    /** @throws CodedError NOT_FOUND unless the item is open in the queue */
    requireOpen: async (queue: Queue, itemId: string, call: Call): Promise<void> => {
      if (!(await sources[queue].isOpen(itemId, call)))
        throw new CodedError('NOT_FOUND', { message: 'the item is not open in this queue' });
    },
  };
};
