/** A refresh token is good for so long after it was issued. */
export const REFRESH_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** Within it the last rotated token answers its successor again: two tabs that refresh at once must not log a person out. */
export const GRACE_MS = 10 * 1000;

export type RotationState = {
  /** Number of the token that may be used next, from 0. */
  generation: number;
  /** When the token before it was used; absent at generation 0. */
  rotatedAt?: Date | null | undefined;
  expiresAt: Date;
  revokedAt?: Date | null | undefined;
};

/**
 * What a genuine refresh token of `generation` is worth now (RFC 9700, section 4.14.2):
 * - `rotate`: the newest one; takes the session to the next generation
 * - `repeat`: the one before it, within the grace; answers the generation that it made
 * - `reused`: an older use of a rotated token, so somebody else has a copy; the session ends
 * - `invalid`: expired, or the session was ended
 */
export type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'invalid';

export const judgeRefresh = (session: RotationState, generation: number, now: Date): RefreshVerdict => {
  if (session.revokedAt != null || now >= session.expiresAt || generation > session.generation) return 'invalid';
  if (generation === session.generation) return 'rotate';
  const sinceRotation = session.rotatedAt == null ? Number.POSITIVE_INFINITY : now.getTime() - session.rotatedAt.getTime();
  return generation === session.generation - 1 && sinceRotation <= GRACE_MS ? 'repeat' : 'reused';
};
