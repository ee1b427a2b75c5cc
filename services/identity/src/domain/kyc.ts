import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';

/**
 * How far an identity check has come:
 * - `NOT_STARTED`: the provider has a profile, nobody has begun
 * - `DOCUMENTS_REQUESTED`: the person has begun, the provider waits for documents
 * - `PENDING`: handed in, automatic checks run
 * - `IN_REVIEW`: somebody at the provider looks at it
 * - `APPROVED`, `REJECTED`: decided for good
 * - `RESUBMISSION_REQUESTED`: the provider wants documents again
 */
export type KycState = 'NOT_STARTED' | 'DOCUMENTS_REQUESTED' | 'PENDING' | 'IN_REVIEW' | 'APPROVED' | 'RESUBMISSION_REQUESTED' | 'REJECTED';

/** One step at a time. */
const NEXT: Readonly<Record<KycState, readonly KycState[]>> = {
  NOT_STARTED: ['DOCUMENTS_REQUESTED', 'PENDING'],
  DOCUMENTS_REQUESTED: ['PENDING', 'IN_REVIEW'],
  PENDING: ['IN_REVIEW'],
  IN_REVIEW: ['APPROVED', 'REJECTED', 'RESUBMISSION_REQUESTED'],
  RESUBMISSION_REQUESTED: ['IN_REVIEW'],
  APPROVED: [],
  REJECTED: [],
};

/** Whether a check may come from one state to another, in any number of steps: events get lost, and overtake each other. */
export const leadsTo = (from: KycState, to: KycState, passed: readonly KycState[] = []): boolean =>
  NEXT[from].some((next) => next === to || (!passed.includes(next) && leadsTo(next, to, [...passed, from])));

/** Whether the person has something to hand in. */
export const awaitsPerson = (state: KycState): boolean =>
  state === 'NOT_STARTED' || state === 'DOCUMENTS_REQUESTED' || state === 'RESUBMISSION_REQUESTED';

const EVENT_STATES = {
  documents_requested: 'DOCUMENTS_REQUESTED',
  pending: 'PENDING',
  in_review: 'IN_REVIEW',
  approved: 'APPROVED',
  resubmission_requested: 'RESUBMISSION_REQUESTED',
  rejected: 'REJECTED',
} as const satisfies Record<string, KycState>;

/** An event in the provider's own words. What else it holds is dropped. */
export const kycEventSchema = z
  .object({
    id: z.string().min(1).max(128),
    profileId: uuidSchema,
    sequence: z.int().min(1),
    status: z.enum(Object.keys(EVENT_STATES) as (keyof typeof EVENT_STATES)[]),
  })
  .transform(({ status, ...event }) => ({ ...event, state: EVENT_STATES[status] satisfies KycState as KycState }));

/** The provider says that a profile is in a state. `sequence` rises with every event of a profile and decides their order. */
export type KycEvent = z.output<typeof kycEventSchema>;

/** Where a check stands: its state, the newest sequence that was seen, and the last events. */
export type KycStanding = { state: KycState; sequence: number; eventIds: readonly string[] };

/**
 * What an event does to a check:
 * - `stale`: nothing, it was seen before or is older than another one that was
 * - `noted`: it is the newest one, but its state stands already or lies behind; only its sequence counts
 * - `moves`: the check gets its state
 */
export const judgeKycEvent = (standing: KycStanding, event: KycEvent): 'stale' | 'noted' | 'moves' => {
  if (event.sequence <= standing.sequence || standing.eventIds.includes(event.id)) return 'stale';
  return event.state !== standing.state && leadsTo(standing.state, event.state) ? 'moves' : 'noted';
};
