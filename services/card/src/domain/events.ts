/** What this service tells the platform. Neither numbers of phones nor of cards are among it. */
export type CardEvent =
  | { type: 'cardholder.created'; payload: { cardholderId: string; userId: string } }
  | { type: 'cardholder.phone_changed'; payload: { cardholderId: string; phoneVerified: boolean } }
  | { type: 'card.issued'; payload: { cardId: string; accountId: string } };
