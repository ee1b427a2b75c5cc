/** Events that this service publishes. They never carry phone numbers or PANs. */
export type CardEvent =
  | { type: 'cardholder.created'; payload: { cardholderId: string; userId: string } }
  | { type: 'cardholder.phone_changed'; payload: { cardholderId: string; phoneVerified: boolean } }
  | { type: 'card.issued'; payload: { cardId: string; accountId: string } };
