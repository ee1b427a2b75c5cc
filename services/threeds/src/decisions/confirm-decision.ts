import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccessControlServer } from '../adapters/access-control-server.ts';
import type { Challenge } from '../domain/challenge.ts';
import type { Challenges } from '../store/challenges.ts';

export type ConfirmDecisionParts = { acs: AccessControlServer; challenges: Challenges; runtime: Pick<Runtime, 'now'> };

/**
 * Tells the access control server of a stored decision and, when it confirms at once, finishes the challenge. Never rejects: the
 * decision stands whatever happens here, and the sweeper tells the server again.
 * @returns the challenge as it stands afterwards
 */
export const confirmDecision = async (parts: ConfirmDecisionParts, challenge: Challenge, logger: Logger): Promise<Challenge> => {
  const { acs, challenges, runtime } = parts;
  const { decision } = challenge;
  if (challenge.status !== 'processing' || decision === undefined) return challenge;
  try {
    const decided = { ...challenge, decision };
    if ((await acs.notify(decided)) === 'later') return challenge;
    const confirmed = await challenges.confirm(decided, runtime.now());
    return confirmed ?? (await challenges.find(challenge.id)) ?? challenge;
  } catch (err) {
    logger.warn({ err, challengeId: challenge.id }, 'decision not confirmed yet');
    return challenge;
  }
};
