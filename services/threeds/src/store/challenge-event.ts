import type { OutboxEvent } from '@florin/data/outbox';
import type { Challenge, Decision } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';

/** What happened, named by the status that it led to. */
const EVENT_TYPE: Readonly<Record<ChallengeStatus, string>> = {
  pending: 'challenge.created',
  processing: 'challenge.decided',
  approved: 'challenge.approved',
  declined: 'challenge.declined',
  cancelled: 'challenge.cancelled',
  expired: 'challenge.expired',
  failed: 'challenge.failed',
};

/** The event of a challenge reaching `status`. Says whom it concerns and what to fetch, not what is being paid. */
export const challengeEvent = (
  challenge: Pick<Challenge, 'userId' | 'cardId' | 'accountId' | 'expiresAt'>,
  reached: { id: string; status: ChallengeStatus; decision?: Decision | undefined; at: Date },
): OutboxEvent => {
  const { userId, cardId, accountId, expiresAt } = challenge;
  const { id, status, decision, at } = reached;
  return {
    id,
    type: EVENT_TYPE[status],
    at,
    payload: { status, userId, cardId, accountId, expiresAt: expiresAt.toISOString(), ...(decision === undefined ? {} : { decision }) },
  };
};
