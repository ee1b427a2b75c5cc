import { describe, expect, it } from 'vitest';
import type { Challenge, Decision } from './challenge.ts';
import type { ChallengeStatus } from './challenge-state.ts';
import { meetDecision, requireUndecided } from './decision-rules.ts';

const challenge = (status: ChallengeStatus, decision?: Decision) =>
  ({ status, ...(decision === undefined ? {} : { decision }) }) as unknown as Challenge;

const outcome = (run: () => unknown): unknown => {
  try {
    return run() ?? 'open';
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('a decision to approve', () => {
  it.each([
    ['pending', undefined, 'open', 'open'],
    ['processing', 'approve', 'standing', 'DECISION_ALREADY_MADE'],
    ['processing', 'decline', 'DECISION_ALREADY_MADE', 'DECISION_ALREADY_MADE'],
    ['approved', 'approve', 'standing', 'DECISION_ALREADY_MADE'],
    ['declined', 'decline', 'DECISION_ALREADY_MADE', 'DECISION_ALREADY_MADE'],
    ['cancelled', undefined, 'DECISION_NOT_AVAILABLE', 'DECISION_NOT_AVAILABLE'],
    ['expired', undefined, 'DECISION_NOT_AVAILABLE', 'DECISION_NOT_AVAILABLE'],
    ['failed', undefined, 'DECISION_NOT_AVAILABLE', 'DECISION_NOT_AVAILABLE'],
    ['failed', 'approve', 'standing', 'DECISION_ALREADY_MADE'],
    ['failed', 'decline', 'DECISION_ALREADY_MADE', 'DECISION_ALREADY_MADE'],
  ] as const)('in status %s, decided %s, is %s; typed data: %s', (status, decision, submitted, issued) => {
    expect(outcome(() => meetDecision(challenge(status, decision), 'approve'))).toBe(submitted);
    expect(outcome(() => requireUndecided(challenge(status, decision)))).toBe(issued);
  });
});
