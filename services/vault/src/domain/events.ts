import type { CardDataAccess } from './card.ts';

/** A use of a card's secrets, without any of them. */
type Payload = Omit<CardDataAccess, 'id' | 'at'>;

/** Events that this service publishes. They never carry card numbers, security codes or PINs. */
export type VaultEvent =
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

export const accessEvent = ({ id: _id, at: _at, ...payload }: CardDataAccess): VaultEvent => ({ type: TYPE[payload.action], payload });
