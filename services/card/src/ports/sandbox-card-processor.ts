import type { CardFace } from '../domain/card.ts';
import type { CardOrder, CardProcessor } from './card-processor.ts';
import { sandboxPan, sandboxPanKey } from './sandbox-pan.ts';

const VALID_YEARS = 4;

/**
 * Issues test cards locally. The PAN is derived from the card id and never leaves this adapter; the expiry follows from the time
 * of the order. The same order therefore always yields the same card.
 */
export const createSandboxCardProcessor = (masterKey: Uint8Array): CardProcessor => {
  const key = sandboxPanKey(masterKey);
  const faceOf = ({ cardId, requestedAt }: CardOrder): CardFace => ({
    last4: sandboxPan(key, cardId).slice(-4),
    expMonth: requestedAt.getUTCMonth() + 1,
    expYear: requestedAt.getUTCFullYear() + VALID_YEARS,
    network: 'visa',
  });
  return { issueCard: async (order) => ({ outcome: 'issued', face: faceOf(order) }) };
};
