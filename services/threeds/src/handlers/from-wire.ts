import { Decision as WireDecision, ChallengeStatus as WireStatus } from '@florin/proto/threeds/v1/challenge';
import { z } from 'zod';
import type { Decision } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';
import { statusFromWire } from './to-wire.ts';

const DECISIONS: ReadonlyMap<number, Decision> = new Map([
  [WireDecision.APPROVE, 'approve'],
  [WireDecision.DECLINE, 'decline'],
]);

/** A decision that is required. */
export const decisionSchema = z.number().transform((value, context): Decision => {
  const known = DECISIONS.get(value);
  if (known !== undefined) return known;
  context.addIssue({ code: 'custom', message: 'must be approve or decline' });
  return z.NEVER;
});

/** A status filter; undefined selects every status. */
export const statusFilterSchema = z.number().transform((value, context): ChallengeStatus | undefined => {
  if (value === WireStatus.UNSPECIFIED) return undefined;
  const known = statusFromWire(value);
  if (known !== undefined) return known;
  context.addIssue({ code: 'custom', message: 'must be a known challenge status' });
  return z.NEVER;
});
