/**
 * The steps of a dispute after its opening that operators record: the stages in the order of the network's procedure, and the outcomes that credit nothing. That it is won is
 * reported by the card network's processor: it moves money to the account, which no operator does alone.
 */
export const DISPUTE_STAGES = ['chargeback', 'representment', 'pre-arbitration', 'arbitration', 'lost', 'withdrawn'] as const;
