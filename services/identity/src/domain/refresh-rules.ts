/** Lifetime of a refresh token. */
export const REFRESH_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Grace period in which the last rotated token returns its successor again: two tabs that refresh at the same time must not end the
 * session.
 */
const GRACE_MS = 10 * 1000;

export type RotationState = {
  /** Number of the token that may be used next, starting at 0. */
  generation: number;
  /** When the previous token was used; absent at generation 0. */
  rotatedAt?: Date | null | undefined;
  expiresAt: Date;
  revokedAt?: Date | null | undefined;
};

/**
 * Verdict on a genuine refresh token of `generation` (RFC 9700, section 4.14.2):
 * - `rotate`: the newest token; moves the session to the next generation
 * - `repeat`: the previous token within the grace period; returns its successor again
 * - `reused`: a rotated token outside the grace period, so a copy of it exists; the session ends
 * - `invalid`: the token expired or the session was revoked
 */
export type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'invalid';

export const judgeRefresh = (session: RotationState, generation: number, now: Date): RefreshVerdict => {
  if (session.revokedAt != null || now >= session.expiresAt || generation > session.generation) return 'invalid';
  if (generation === session.generation) return 'rotate';
  const sinceRotation = session.rotatedAt == null ? Number.POSITIVE_INFINITY : now.getTime() - session.rotatedAt.getTime();
  return generation === session.generation - 1 && sinceRotation <= GRACE_MS ? 'repeat' : 'reused';
};
