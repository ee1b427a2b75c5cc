import { InvariantError } from '../domain/apply-entry.ts';

/**
 * The life of a shard's writer: one term. It never repairs itself: every end is final, what it knew is discarded, and the shard is
 * opened again for a new term, here or by another instance.
 *
 * | state     | accepts entries | left when                                                                                      |
 * | --------- | --------------- | ---------------------------------------------------------------------------------------------- |
 * | `opening` | no              | the term's first block, an empty one, is appended (→ `open`)                                   |
 * | `open`    | yes             | one of the ends below                                                                          |
 * | `lost`    | no              | end: another writer has appended a block, or claimed the checkpoint or a run of entries for a later term, or the journal has a block of this term or a later one |
 * | `skewed`  | no              | end: the clock disagrees with the engine's by more than MAX_CLOCK_SKEW_MS                      |
 * | `broken`  | no              | end: what is stored contradicts itself (InvariantError)                                        |
 * | `closed`  | no              | end: told to close                                                                             |
 *
 * The empty block anchors the term: after it, no earlier writer can append an entry that this writer rejects, and what an earlier one had
 * under way is either in the journal already or lost. While the engine is unavailable a writer stays as it is: it retries until it knows
 * whether its block is written.
 */
export const WRITER_STATES = ['opening', 'open', 'lost', 'skewed', 'broken', 'closed'] as const;
export type WriterState = (typeof WRITER_STATES)[number];

const NEXT: Readonly<Record<WriterState, readonly WriterState[]>> = {
  opening: ['open', 'lost', 'skewed', 'broken', 'closed'],
  open: ['lost', 'skewed', 'broken', 'closed'],
  lost: [],
  skewed: [],
  broken: [],
  closed: [],
};

export const canBecome = (from: WriterState, to: WriterState): boolean => NEXT[from].includes(to);

/** States in which a writer has ended. */
export type WriterEnd = Exclude<WriterState, 'opening' | 'open'>;

export const hasEnded = (state: WriterState): state is WriterEnd => NEXT[state].length === 0;

/** Another writer has appended to the shard, or is entitled to. This writer's term has ended. */
export class LostRaceError extends Error {
  override readonly name = 'LostRaceError';
}

/** The clock of this process and the engine's disagree: a block sealed now would carry a wrong time. */
export class ClockSkewError extends Error {
  override readonly name = 'ClockSkewError';
}

/** How a writer ends after an error; undefined when the error is temporary. */
export const endAfter = (error: unknown): WriterEnd | undefined => {
  if (error instanceof LostRaceError) return 'lost';
  if (error instanceof ClockSkewError) return 'skewed';
  return error instanceof InvariantError ? 'broken' : undefined;
};
