import { keyOf } from '../domain/feed-event.ts';
import type { Unplaced } from '../feed/append-to-feeds.ts';
import type { BlockStore } from '../store/blocks.ts';

/** Changes of a deposit or a withdrawal are fewer. */
const MAX_CHANGES = 8;

const NUMBERS = Array.from({ length: MAX_CHANGES }, (_, index) => index + 1);

/**
 * Numbers the events of deposits and withdrawals among those of their subject. Entries do not state it: a withdrawal may skip a step. An event that the feed has
 * keeps its number, and another one gets the next number that no event has.
 */
export const numberChanges = async (
  { findKeys }: Pick<BlockStore, 'findKeys'>,
  unplaced: readonly Unplaced[],
): Promise<readonly Unplaced[]> => {
  const counted = unplaced.filter(({ event }) => event.formerKey !== undefined);
  if (counted.length === 0) return unplaced;
  const subjects = [...new Set(counted.map(({ event }) => event.subject))];
  const taken = new Map<string, string>();
  const keys = subjects.flatMap((subject) => NUMBERS.map((subjectSequence) => keyOf({ subject, subjectSequence })));
  for (const [key, { id }] of await findKeys(keys)) taken.set(key, id);
  return unplaced.map((one) => {
    const { event } = one;
    if (event.formerKey === undefined) return one;
    const at = (subjectSequence: number) => taken.get(keyOf({ ...event, subjectSequence }));
    const number = NUMBERS.find((one) => at(one) === event.id) ?? NUMBERS.find((one) => at(one) === undefined);
    if (number === undefined) throw new Error(`${event.subject} has more than ${MAX_CHANGES} changes`);
    taken.set(keyOf({ ...event, subjectSequence: number }), event.id);
    return { ...one, event: { ...event, subjectSequence: number } };
  });
};
