import type { OutboxEvent, Publish } from '@florin/data/outbox';
import type { CardDataAccess } from '../domain/card.ts';
import { accessEvent } from '../domain/events.ts';
import type { AccessStore } from './accesses.ts';

/** The event of an access, as it is stored in the card's outbox. It has the id of the access, so that the log gets one record. */
export const accessOutboxEvent = (access: CardDataAccess): OutboxEvent => ({ id: access.id, at: access.at, ...accessEvent(access) });

/** Adds the record of each access to the log before its event is published: a process that was killed in between leaves none out. */
export const recordThenPublish =
  (accesses: AccessStore, publish: Publish): Publish =>
  async (cardId, event) => {
    const { payload, id, at } = event;
    await accesses.insert({ ...(payload as Omit<CardDataAccess, 'id' | 'at'>), id, at });
    await publish(cardId, event);
  };
