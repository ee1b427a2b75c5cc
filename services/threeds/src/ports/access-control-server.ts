import type { Challenge, Decision } from '../domain/challenge.ts';

/** `acknowledged`: confirmed at once. `later`: will be confirmed through AcknowledgeDecision. */
export type NotifyResult = 'acknowledged' | 'later';

/** Port to the system that raised the challenge and forwards the decision to the merchant's bank (EMV 3DS ACS). */
export type AccessControlServer = {
  /** The server accepts every decision: the write that stores a decision also confirms it, and `notify` serves only decisions stored without. */
  confirmsAtOnce?: true;
  /** Notifies the server of a decision. May be called more than once; after a rejection it is called again until the confirmation times out. */
  notify: (challenge: Challenge & { decision: Decision }) => Promise<NotifyResult>;
};
