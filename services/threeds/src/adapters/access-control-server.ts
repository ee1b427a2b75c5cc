import type { Challenge, Decision } from '../domain/challenge.ts';

/** Whether the access control server confirmed at once, or will do so through AcknowledgeDecision. */
export type AcsAnswer = 'acknowledged' | 'later';

/** The system that raised the challenge and carries the decision on to the merchant's bank. */
export type AccessControlServer = {
  /** It has nothing to say to a decision: the write that stores one confirms it too, and `notify` is left for those stored without. */
  confirmsAtOnce?: true;
  /** Tells it of a decision. May be told the same twice; may reject, then it is told again until the time to confirm is over. */
  notify: (challenge: Challenge & { decision: Decision }) => Promise<AcsAnswer>;
};

/** Confirms whatever was decided, so that one person can play the whole story. */
export const sandboxAccessControlServer: AccessControlServer = { confirmsAtOnce: true, notify: async () => 'acknowledged' };

/** A real one: it follows the challenge itself and confirms through AcknowledgeDecision. */
export const grpcAccessControlServer: AccessControlServer = { notify: async () => 'later' };
