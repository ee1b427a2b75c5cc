/** The stages that a dispute can reach after it was opened, in the order of the network's procedure, and its outcomes. */
export const DISPUTE_STAGES = ['chargeback', 'representment', 'pre-arbitration', 'arbitration', 'won', 'lost', 'withdrawn'] as const;
