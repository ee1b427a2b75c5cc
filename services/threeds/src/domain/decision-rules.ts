import { CodedError } from '@florin/rpc/errors';
import type { Challenge, Decision } from './challenge.ts';

/**
 * How a submitted decision relates to a challenge whose status is exact. `standing`: the same decision was made before, in whatever
 * state the challenge is now. `open`: the decision can be made.
 * @throws CodedError DECISION_ALREADY_MADE after the opposite decision, DECISION_NOT_AVAILABLE when the challenge ended undecided
 */
export const meetDecision = (challenge: Challenge, decision: Decision): 'standing' | 'open' => {
  if (challenge.decision === decision) return 'standing';
  if (challenge.decision !== undefined) throw new CodedError('DECISION_ALREADY_MADE');
  if (challenge.status !== 'pending') throw new CodedError('DECISION_NOT_AVAILABLE');
  return 'open';
};

/**
 * Requires that typed data may be issued.
 * @throws CodedError DECISION_ALREADY_MADE after any decision, DECISION_NOT_AVAILABLE when the challenge ended undecided
 */
export const requireUndecided = (challenge: Challenge): void => {
  if (challenge.decision !== undefined) throw new CodedError('DECISION_ALREADY_MADE');
  if (challenge.status !== 'pending') throw new CodedError('DECISION_NOT_AVAILABLE');
};
