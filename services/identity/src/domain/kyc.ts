import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';

/**
 * State of an identity check:
 * - `not_started`: the provider has a profile, the user has not begun
 * - `documents_requested`: the user has begun, the provider waits for documents
 * - `pending`: documents are submitted, automatic checks run
 * - `in_review`: a person at the provider reviews the documents
 * - `approved`: decided; a later review can take the approval back
 * - `rejected`: decided for good
 * - `resubmission_requested`: the provider asks for documents again
 */
export type KycState = 'not_started' | 'documents_requested' | 'pending' | 'in_review' | 'approved' | 'resubmission_requested' | 'rejected';

/** Single steps. */
const NEXT: Readonly<Record<KycState, readonly KycState[]>> = {
  not_started: ['documents_requested', 'pending'],
  documents_requested: ['pending', 'in_review'],
  pending: ['in_review'],
  in_review: ['approved', 'rejected', 'resubmission_requested'],
  resubmission_requested: ['in_review'],
  approved: ['in_review', 'rejected'],
  rejected: [],
};

/** Reports whether a check may move from one state to another, in any number of steps: events get lost and overtake each other. */
export const leadsTo = (from: KycState, to: KycState, passed: readonly KycState[] = []): boolean =>
  NEXT[from].some((next) => next === to || (!passed.includes(next) && leadsTo(next, to, [...passed, from])));

/** Reports whether the user has documents to submit. */
export const awaitsPerson = (state: KycState): boolean =>
  state === 'not_started' || state === 'documents_requested' || state === 'resubmission_requested';

/** States that an event may report: every one but the first. */
const EVENT_STATES = [
  'documents_requested',
  'pending',
  'in_review',
  'approved',
  'resubmission_requested',
  'rejected',
] as const satisfies readonly KycState[];

/** An event in the format of the provider. Unknown fields are dropped. */
export const kycEventSchema = z
  .object({
    id: z.string().min(1).max(128),
    profileId: uuidSchema,
    sequence: z.int().min(1),
    status: z.enum(EVENT_STATES),
  })
  .transform(({ status, ...event }): { id: string; profileId: string; sequence: number; state: KycState } => ({ ...event, state: status }));

/** The provider reports that a profile is in a state. `sequence` increases with every event of a profile and decides their order. */
export type KycEvent = z.output<typeof kycEventSchema>;

/** A check: its state, the highest sequence seen, and the ids of recent events. */
export type KycStanding = { state: KycState; sequence: number; eventIds: readonly string[] };

/**
 * Effect of an event on a check:
 * - `stale`: none; the event was seen before, or an event with a higher sequence was
 * - `noted`: the event is the newest, but its state is the current one or cannot be reached from it; only the sequence is recorded
 * - `moves`: the check moves to the state of the event
 */
export const judgeKycEvent = (standing: KycStanding, event: KycEvent): 'stale' | 'noted' | 'moves' => {
  if (event.sequence <= standing.sequence || standing.eventIds.includes(event.id)) return 'stale';
  return event.state !== standing.state && leadsTo(standing.state, event.state) ? 'moves' : 'noted';
};
