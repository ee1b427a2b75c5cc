import type { Challenge, Decision } from './challenge.ts';
import type { ChallengeStatus } from './challenge-state.ts';

/** Whom the event concerns and what to fetch; payment details are left out. */
type Payload = {
  status: ChallengeStatus;
  userId: string;
  cardId: string;
  accountId: string;
  /** ISO 8601. */
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
export const challengeEvent = (
  { userId, cardId, accountId, expiresAt }: Pick<Challenge, 'userId' | 'cardId' | 'accountId' | 'expiresAt'>,
  status: ChallengeStatus,
  decision: Decision | undefined,
): ChallengeEvent => ({
  type: EVENT_TYPE[status],
  payload: { status, userId, cardId, accountId, expiresAt: expiresAt.toISOString(), ...(decision === undefined ? {} : { decision }) },
});
