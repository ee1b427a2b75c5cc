import type { CardFace } from './card.ts';

/** Term of a card, in years. */
const VALID_YEARS = 4;

export type CardExpiry = Pick<CardFace, 'expMonth' | 'expYear'>;

/** Expiry of a card that was ordered at this time. It follows from the order alone, so that a repeat yields the same card. */
export const firstExpiry = (orderedAt: Date): CardExpiry => ({
  expMonth: orderedAt.getUTCMonth() + 1,
  expYear: orderedAt.getUTCFullYear() + VALID_YEARS,
});

/** Expiry one term later. */
export const nextExpiry = ({ expMonth, expYear }: CardExpiry): CardExpiry => ({ expMonth, expYear: expYear + VALID_YEARS });
