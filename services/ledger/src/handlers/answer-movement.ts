import { CodedError } from '@florin/rpc/errors';
import { applyChange, type Movement, movementChange } from '../domain/movement.ts';
import type { Outcome } from '../journal/journal.ts';

/** The movement that an entry of ours made or changed, out of the entry itself: as it is in the journal, without another read. */
export const movementAfter = (before: Movement | undefined, { entry, place }: Extract<Outcome, { kind: 'created' }>): Movement => {
  const change = movementChange(entry, place);
  const after = change === undefined ? before : applyChange(before, change);
  if (after === undefined) throw new Error(`${entry.id} is not about a movement`);
  return after;
};

/** Asserts that every entry of the journal can be found. @throws CodedError INTERNAL_ERROR */
export const mustExist = (movement: Movement | undefined): Movement => {
  if (movement === undefined) throw new CodedError('INTERNAL_ERROR', { message: 'a movement of the journal is not projected' });
  return movement;
};
