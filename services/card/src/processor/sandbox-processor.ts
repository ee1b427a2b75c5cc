import type { CardFace } from '../domain/card.ts';
import type { CardOrder, CardProcessor } from './card-processor.ts';
import { sandboxPan, sandboxPanKey } from './sandbox-pan.ts';

const VALID_YEARS = 4;

/**
 * Issues cards out of thin air: the number is derived from the card's id and never leaves this adapter, the expiry from the
 * moment of the order, so that the same order always makes the same card.
 */
export const createSandboxProcessor = (masterKey: Uint8Array): CardProcessor => {
  const key = sandboxPanKey(masterKey);
  const faceOf = ({ cardId, requestedAt }: CardOrder): CardFace => ({
    last4: sandboxPan(key, cardId).slice(-4),
    expMonth: requestedAt.getUTCMonth() + 1,
    expYear: requestedAt.getUTCFullYear() + VALID_YEARS,
    network: 'visa',
  });
  return { issueCard: async (order) => ({ outcome: 'issued', face: faceOf(order) }) };
};
