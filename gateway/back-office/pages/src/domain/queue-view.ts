import type { Queue, QueueItem } from '@florin/back-office/contract';
import { toCsv } from './csv.ts';

export const FILTERS = ['all', 'mine', 'nobody', 'overdue'] as const;
export const SORTS = ['due', 'since', 'amount'] as const;

/** The items of a queue that are shown, and their order. */
export type QueueView = { filter: (typeof FILTERS)[number]; sort: (typeof SORTS)[number] };

/** Reads a view from an address or from what was kept; everything, the longest overdue first, where it says nothing. */
export const readView = ({ filter, sort }: Readonly<Record<string, unknown>>): QueueView => ({
  filter: FILTERS.find((one) => one === filter) ?? 'all',
  sort: SORTS.find((one) => one === sort) ?? 'due',
});

const sizeOf = ({ amount }: QueueItem): number => (amount === undefined ? 0 : Math.abs(Number(amount.amount)) / 10 ** amount.decimals);

const ORDERS: Readonly<Record<QueueView['sort'], (a: QueueItem, b: QueueItem) => number>> = {
  due: (a, b) => a.dueAt.localeCompare(b.dueAt, 'en'),
  since: (a, b) => a.since.localeCompare(b.since, 'en'),
  amount: (a, b) => sizeOf(b) - sizeOf(a),
};

/** The items of a view. @param me id of the operator who looks */
export const itemsOf = (items: readonly QueueItem[], { filter, sort }: QueueView, me: string | undefined): QueueItem[] => {
  const isShown: Readonly<Record<QueueView['filter'], (item: QueueItem) => boolean>> = {
    all: () => true,
    mine: ({ assignee }) => assignee !== undefined && assignee.id === me,
    nobody: ({ assignee }) => assignee === undefined,
    overdue: ({ isOverdue }) => isOverdue,
  };
  return items.filter(isShown[filter]).toSorted(ORDERS[sort]);
};

const HEAD = [
  'queue',
  'id',
  'kind',
  'userId',
  'partnerId',
  'amount',
  'decimals',
  'currency',
  'since',
  'dueAt',
  'isOverdue',
  'assignee',
  'notes',
];

/** Items as comma-separated values. */
export const queueCsv = (queue: Queue, items: readonly QueueItem[]): string =>
  toCsv([
    HEAD,
    ...items.map(({ id, kind, userId = '', partnerId = '', amount, since, dueAt, isOverdue, assignee, notes }) => [
      ...[queue, id, kind, userId, partnerId, amount?.amount ?? '', String(amount?.decimals ?? ''), amount?.currency ?? ''],
      ...[since, dueAt, String(isOverdue), assignee?.name ?? '', notes.map(({ at, by, text }) => `${at} ${by}: ${text}`).join(' | ')],
    ]),
  ]);

/** Where an item is decided, as the router takes it. */
export const placeOfItem = (
  queue: Queue,
  { id, kind, userId = id, partnerId = '' }: Pick<QueueItem, 'id' | 'kind' | 'userId' | 'partnerId'>,
) => {
  switch (queue) {
    case 'deposits':
      return { to: '/people/$userId/movements', params: { userId }, search: { deposit: id } } as const;
    case 'identity':
    case 'accounts':
      return { to: '/people/$userId', params: { userId } } as const;
    case 'disputes':
      return { to: '/people/$userId/payments/$paymentId', params: { userId, paymentId: id } } as const;
    case 'orders':
      if (kind === 'replacement') return { to: '/people/$userId', params: { userId } } as const;
      return kind === 'halt' ? ({ to: '/chain', search: { halt: id } } as const) : ({ to: '/money', search: { item: id } } as const);
    case 'exceptions':
    case 'settlement':
      return { to: '/exceptions', search: { item: id } } as const;
    case 'transfers':
      return { to: '/chain', search: { item: id } } as const;
    case 'webhooks':
      return { to: '/partners', search: { partner: partnerId, endpoint: id } } as const;
  }
};
