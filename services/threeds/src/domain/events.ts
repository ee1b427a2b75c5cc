import type { Challenge, Decision } from './challenge.ts';
import type { ChallengeStatus } from './challenge-state.ts';

/** A challenge after a change. */
type Payload = {
  challengeId: string;
  status: ChallengeStatus;
  userId: string;
  cardId: string;
  accountId: string;
  last4: string;
  /** Integer string in the currency's minor unit; absent without a payment, as the currency. */
  amount?: string;
  currency?: string;
  decimals?: number;
  merchant: { id?: string; name?: string; country?: string; categoryCode?: string };
  /** ISO 8601. */
  createdAt: string;
  expiresAt: string;
  /** Present once decided. */
  decision?: Decision;
};

/** Events that this service publishes: one for each status that a challenge reaches. */
export type ChallengeEvent =
  | { type: 'challenge.created'; payload: Payload }
  | { type: 'challenge.decided'; payload: Payload }
  | { type: 'challenge.approved'; payload: Payload }
  | { type: 'challenge.declined'; payload: Payload }
  | { type: 'challenge.cancelled'; payload: Payload }
  | { type: 'challenge.expired'; payload: Payload }
  | { type: 'challenge.failed'; payload: Payload };

const EVENT_TYPE: Readonly<Record<ChallengeStatus, ChallengeEvent['type']>> = {
  pending: 'challenge.created',
  processing: 'challenge.decided',
  approved: 'challenge.approved',
  declined: 'challenge.declined',
  cancelled: 'challenge.cancelled',
  expired: 'challenge.expired',
  failed: 'challenge.failed',
};

/** The event of a challenge that reaches `status`. */
export const challengeEvent = (challenge: Challenge, status: ChallengeStatus, decision: Decision | undefined): ChallengeEvent => {
  const { id: challengeId, userId, cardId, accountId, last4, amount, currency, decimals, createdAt, expiresAt } = challenge;
  // The name as payments call it.
  const { displayName: name, ...merchant } = challenge.merchant;
  return {
    type: EVENT_TYPE[status],
    payload: {
      ...{ challengeId, status, userId, cardId, accountId, last4 },
      ...(amount === '' ? {} : { amount, currency, decimals }),
      merchant: { ...merchant, ...(name === undefined ? {} : { name }) },
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      ...(decision === undefined ? {} : { decision }),
    },
  };
};
