import { presentmentIdOf } from '../domain/payment-ids.ts';
import type { EventClaim, EventClaimStore } from '../store/event-claims.ts';

/** A presenter and a card. The account is empty, and there is no series, where the card is not known. */
type Presented = {
  processor: string;
  cardId: string;
  accountId: string;
  seriesId?: string;
  type: string;
  amount?: bigint | undefined;
  currency?: string | undefined;
};

/**
 * Claims what is presented under a reference: an amount, once.
 * @param claim where it belongs if nobody has claimed it
 * @returns its id, and the claim of the first one who has presented it
 */
export const claimPresentment = async (
  claims: EventClaimStore,
  presented: Presented,
  reference: string,
  claim: Pick<EventClaim, 'paymentId' | 'suspended' | 'at'>,
): Promise<{ id: string; first: EventClaim }> => {
  const { processor, cardId } = presented;
  const id = presentmentIdOf(presented, presented, reference);
  const unknown = presentmentIdOf({ processor, cardId, accountId: '' }, presented, reference);
  // The card may not have been known to this service when it was presented first: it is in suspense.
  const earlier = unknown === id ? undefined : await claims.find(unknown);
  return { id: earlier?.id ?? id, first: earlier ?? (await claims.claim({ ...claim, id, inputHash: '' })) };
};
