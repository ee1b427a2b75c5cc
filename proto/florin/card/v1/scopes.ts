/** Scopes that the card RPCs require of a service token. */
export const CARD_SCOPES = {
  readCards: 'card.cards.read',
} as const;
