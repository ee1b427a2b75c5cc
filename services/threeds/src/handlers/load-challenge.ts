import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import { statusAt } from '../domain/challenge-state.ts';
import type { Challenges } from '../store/challenges.ts';

/**
 * The challenge with its status exact at `now`. That its time is over is stored before anyone hears of it: a decision that was in
 * time when it was checked, and whose write is still under way, then finds nothing to decide, and what was said once stays true,
 * even among instances whose clocks disagree.
 */
export const exactAt = async (challenges: Challenges, challenge: Challenge, now: Date): Promise<Challenge> => {
  if (statusAt(challenge, now) === challenge.status) return challenge;
  const expired = (await challenges.expire(challenge, now)) ?? (await challenges.find(challenge.id));
  if (expired === undefined) throw new Error('a challenge is gone');
  return expired;
};

/**
 * The challenge, its status exact at `now`.
 * @throws CodedError CHALLENGE_NOT_FOUND
 */
export const loadChallenge = async (challenges: Challenges, id: string, now: Date): Promise<Challenge> => {
  const challenge = await challenges.find(id);
  if (challenge === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
  return exactAt(challenges, challenge, now);
};

/**
 * The user's own challenge, its status exact at `now`. Someone else's answers exactly like one that does not exist.
 * @throws CodedError CHALLENGE_NOT_FOUND
 */
export const loadOwnChallenge = async (
  challenges: Challenges,
  id: string,
  { userId }: { userId: string },
  now: Date,
): Promise<Challenge> => {
  const challenge = await challenges.find(id);
  if (challenge === undefined || challenge.userId !== userId) throw new CodedError('CHALLENGE_NOT_FOUND');
  return exactAt(challenges, challenge, now);
};

/**
 * The challenge that this service raised, its status exact at `now`. Another service's answers exactly like one that does not exist:
 * a challenge belongs to the access control server that waits for it.
 * @throws CodedError CHALLENGE_NOT_FOUND
 */
export const loadRaisedChallenge = async (
  challenges: Challenges,
  id: string,
  { name }: { name: string },
  now: Date,
): Promise<Challenge> => {
  const challenge = await challenges.find(id);
  if (challenge === undefined || challenge.callerName !== name) throw new CodedError('CHALLENGE_NOT_FOUND');
  return exactAt(challenges, challenge, now);
};
