import type { CardActor, CardStatus } from './card.ts';

/** A change of a card: its status afterwards, and who made the change. */
type CardChanged = { cardId: string; accountId: string; status: CardStatus; actor: CardActor };

/** Events that this service publishes. They never carry phone numbers or PANs. */
export type CardEvent =
  | { type: 'cardholder.created'; payload: { cardholderId: string; userId: string } }
  | { type: 'cardholder.phone_changed'; payload: { cardholderId: string; phoneVerified: boolean } }
  | { type: 'card.issued'; payload: { cardId: string; accountId: string } }
  | { type: 'card.frozen'; payload: CardChanged }
  | { type: 'card.unfrozen'; payload: CardChanged }
  | { type: 'card.lost'; payload: CardChanged }
  | { type: 'card.stolen'; payload: CardChanged }
  | { type: 'card.cancelled'; payload: CardChanged }
  | { type: 'card.replaced'; payload: CardChanged }
  | { type: 'card.renewed'; payload: CardChanged }
  | { type: 'card.renamed'; payload: CardChanged };
