import { CodedError } from '@florin/rpc/errors';
import type { Challenge, Decision } from './challenge.ts';

/**
 * What a submitted decision meets in a challenge whose status is exact. `standing`: the same one was made before, the challenge answers as it is, whatever became of
 * it. `open`: it can be made now.
 * @throws CodedError DECISION_ALREADY_MADE when the opposite one stands, DECISION_NOT_AVAILABLE when it is too late for any
 */
export const meetDecision = (challenge: Challenge, decision: Decision): 'standing' | 'open' => {
  if (challenge.decision === decision) return 'standing';
  if (challenge.decision !== undefined) throw new CodedError('DECISION_ALREADY_MADE');
  if (challenge.status !== 'pending') throw new CodedError('DECISION_NOT_AVAILABLE');
  return 'open';
};

/**
 * Whether typed data may be issued.
 * @throws CodedError DECISION_ALREADY_MADE once any decision stands, DECISION_NOT_AVAILABLE when it is too late for one
 */
export const requireUndecided = (challenge: Challenge): void => {
  if (challenge.decision !== undefined) throw new CodedError('DECISION_ALREADY_MADE');
  if (challenge.status !== 'pending') throw new CodedError('DECISION_NOT_AVAILABLE');
};
