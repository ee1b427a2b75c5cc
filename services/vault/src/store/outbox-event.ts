import type { OutboxEvent, Publish } from '@florin/data/outbox';
import type { CardDataAccess } from '../domain/card.ts';
import type { AccessStore } from './accesses.ts';

/** A use of a card's secrets, without any of them. */
type Payload = Omit<CardDataAccess, 'id' | 'at'>;

/** Events that this service publishes. They never carry card numbers, security codes or PINs. */
type VaultEvent =
  | { type: 'card_data.details_viewed'; payload: Payload }
  | { type: 'card_data.pin_viewed'; payload: Payload }
  | { type: 'card_data.pin_set'; payload: Payload }
  | { type: 'card_data.sealed'; payload: Payload };

const TYPE = {
  view_details: 'card_data.details_viewed',
  view_pin: 'card_data.pin_viewed',
  set_pin: 'card_data.pin_set',
  seal: 'card_data.sealed',
} as const satisfies Readonly<Record<CardDataAccess['action'], VaultEvent['type']>>;

const accessEvent = ({ id: _id, at: _at, ...payload }: CardDataAccess): VaultEvent => ({ type: TYPE[payload.action], payload });

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
