import type { OutboxEvent } from '@florin/data/outbox';
import type { Runtime } from '@florin/rpc/runtime';
import type { CardEvent } from '../domain/events.ts';

export type Stamp = Pick<Runtime, 'newId' | 'now'>;

/** The event as it is stored in its aggregate's outbox. */
export const outboxEvent = ({ newId, now }: Stamp, { type, payload }: CardEvent): OutboxEvent => ({
  id: newId(),
  type,
  at: now(),
  payload,
});
