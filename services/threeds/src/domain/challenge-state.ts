/**
 * The states of a challenge.
 *
 * - `pending`: waiting for the cardholder. Ends with the first of these, by one conditional write: a decision with a valid signature
 *   (→ processing), cancellation by the access control server (→ cancelled), expiry (→ expired), the fifth bad signature (→ failed).
 * - `processing`: decided; decision and receipt are stored and never change. Ends when the access control server confirms
 *   (→ approved or declined, as decided) or does not confirm in time (→ failed). With a server that confirms at once, decision and
 *   confirmation are one write.
 * - `approved`, `declined`: decided and confirmed. Terminal.
 * - `cancelled`: cancelled before a decision. Terminal.
 * - `expired`: not decided in time. Terminal. Stored by the sweeper, or by the first read after the expiry, before that read returns.
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

/** Reports whether the status is final. */
export const isTerminal = (status: ChallengeStatus): boolean => NEXT[status].length === 0;

type Timed = { status: ChallengeStatus; expiresAt: Date };

/** The exact status at `now`. A challenge is expired at `expiresAt` itself. */
export const statusAt = ({ status, expiresAt }: Timed, now: Date): ChallengeStatus =>
  status === 'pending' && now.getTime() >= expiresAt.getTime() ? 'expired' : status;

/** Progress of a challenge. It never decreases, so it orders states that arrive on different paths. */
export const progressOf = (status: ChallengeStatus): number => {
  if (status === 'pending') return 0;
  return isTerminal(status) ? 2 : 1;
};
