/** Scopes that the card RPCs require of a service token. */
export const CARD_SCOPES = {
  readCards: 'card.cards.read',
  writeCards: 'card.cards.write',
  readPayments: 'card.payments.read',
  /** Reports what the card network does: events move money. */
  writePayments: 'card.payments.write',
  /** Opens disputes and records their steps. */
  writeDisputes: 'card.disputes.write',
  readExceptions: 'card.exceptions.read',
  /** Ends exceptions of the card network. */
  writeExceptions: 'card.exceptions.write',
  /** Compares settlement records with payments, and raises exceptions. */
  matchSettlement: 'card.settlement.match',
  /** Of a partner's client: reads the cards and card transactions of the partner's users. */
  readPartnerPayments: 'payments.read',
} as const;
