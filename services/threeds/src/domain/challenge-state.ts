/**
 * The life of a challenge.
 *
 * - `pending`: waits for the cardholder. Left by whichever comes first, decided by one conditional write: a decision with a good
 *   signature (→ processing), withdrawal by the access control server (→ cancelled), the end of its time (→ expired), the fifth
 *   bad signature (→ failed).
 * - `processing`: decided; decision and receipt are stored and never change again. Left when the access control server confirms
 *   (→ approved or declined, as decided) or has not done so in its time (→ failed).
 *   Where nobody needs to be asked, both happen in one write.
 * - `approved`, `declined`: decided and confirmed. Terminal.
 * - `cancelled`: withdrawn before a decision. Terminal.
 * - `expired`: nobody decided in time. Terminal. Stored by the sweeper, or by the first read after the end, before it is said.
 * - `failed`: five bad signatures (no decision), or a decision that was not confirmed (with decision and receipt). Terminal.
 */
export const CHALLENGE_STATUSES = ['pending', 'processing', 'approved', 'declined', 'cancelled', 'expired', 'failed'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

const NEXT: Readonly<Record<ChallengeStatus, readonly ChallengeStatus[]>> = {
  pending: ['processing', 'cancelled', 'expired', 'failed'],
  processing: ['approved', 'declined', 'failed'],
  approved: [],
  declined: [],
  cancelled: [],
  expired: [],
  failed: [],
};

export const canBecome = (from: ChallengeStatus, to: ChallengeStatus): boolean => NEXT[from].includes(to);

/** Whether nothing can change the challenge any more. */
export const isTerminal = (status: ChallengeStatus): boolean => NEXT[status].length === 0;

type Timed = { status: ChallengeStatus; expiresAt: Date };

/** The true status at `now`. Exactly at `expiresAt` the time is over. */
export const statusAt = ({ status, expiresAt }: Timed, now: Date): ChallengeStatus =>
  status === 'pending' && now.getTime() >= expiresAt.getTime() ? 'expired' : status;
