import type { Queue } from '@florin/back-office/contract';
import { QUEUE_NAMES } from '@florin/back-office/contract/queue-names';
import { kept } from '@florin/ui/page/kept.ts';
import { type QueueView, readView } from './queue-view.ts';

const nameOf = (queue: Queue): string => `florin-office-queue-${queue}`;

/** How this browser last showed a queue. */
export const keptView = (queue: Queue): QueueView => readView(Object.fromEntries(new URLSearchParams(kept.read(nameOf(queue)) ?? '')));

export const keepView = (queue: Queue, view: QueueView): void => kept.keep(nameOf(queue), new URLSearchParams(view).toString());

/** A view of a queue to which an operator has given a name. */
export type SavedView = QueueView & { queue: Queue; name: string };

/** The longest name of a view. */
export const VIEW_NAME_MAX = 40;

/** The most views of an operator: the latest are kept. */
const MAX_VIEWS = 30;

const savedUnder = (operatorId: string): string => `florin-office-views-${operatorId}`;

/** The views that an operator has saved in this browser, oldest first. What cannot be read is left out. */
export const readViews = (operatorId: string): SavedView[] => {
  const lines = (kept.read(savedUnder(operatorId)) ?? '').split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const { name = '', queue: named, ...view } = Object.fromEntries(new URLSearchParams(line));
    const queue = QUEUE_NAMES.find((one) => one === named);
    return queue === undefined || name === '' ? [] : [{ ...readView(view), queue, name }];
  });
};

const keep = (operatorId: string, views: readonly SavedView[]): SavedView[] => {
  const latest = views.slice(-MAX_VIEWS);
  kept.keep(savedUnder(operatorId), latest.map((view) => new URLSearchParams(view).toString()).join('\n'));
  return latest;
};

const others = (operatorId: string, queue: Queue, name: string): SavedView[] =>
  readViews(operatorId).filter((one) => one.queue !== queue || one.name !== name);

/** Saves a view in place of one of the same name. @returns all views of the operator */
export const saveView = (operatorId: string, view: SavedView): SavedView[] =>
  keep(operatorId, [...others(operatorId, view.queue, view.name), view]);

/** @returns the views that are left */
export const dropView = (operatorId: string, queue: Queue, name: string): SavedView[] => keep(operatorId, others(operatorId, queue, name));
