import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import type { ChallengeStore } from '../store/challenges.ts';

export type ConfirmDecisionParts = { acs: AccessControlServer; challenges: ChallengeStore; runtime: Pick<Runtime, 'now'> };

/**
 * Notifies the access control server of a stored decision and, when it confirms at once, finishes the challenge. Never rejects: the
 * decision stands regardless, and the sweeper notifies the server again.
 * @returns the challenge as it stands afterwards
 */
export const confirmDecision = async (
  { acs, challenges, runtime }: ConfirmDecisionParts,
  challenge: Challenge,
  logger: Logger,
): Promise<Challenge> => {
  const { decision } = challenge;
  if (challenge.status !== 'processing' || decision === undefined) return challenge;
  try {
    const decided = { ...challenge, decision };
    if (challenge.confirmsLater === true || (await acs.notify(decided)) === 'later') return challenge;
    const confirmed = await challenges.confirm(decided, runtime.now());
    return confirmed ?? (await challenges.find(challenge.id)) ?? challenge;
  } catch (err) {
    logger.warn({ err, challengeId: challenge.id }, 'confirming the decision failed');
    return challenge;
  }
};
