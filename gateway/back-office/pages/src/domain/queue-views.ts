import type { Queue } from '@florin/back-office/contract';
import { kept } from '@florin/ui/page/kept.ts';
import { type QueueView, readView } from './queue-view.ts';

const nameOf = (queue: Queue): string => `florin-office-queue-${queue}`;

/** How this browser last showed a queue. */
export const keptView = (queue: Queue): QueueView => readView(Object.fromEntries(new URLSearchParams(kept.read(nameOf(queue)) ?? '')));

export const keepView = (queue: Queue, view: QueueView): void => kept.keep(nameOf(queue), new URLSearchParams(view).toString());
