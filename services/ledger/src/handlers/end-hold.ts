import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Intent } from '../domain/draft-block.ts';
import { decodeEntry, type EntryKind } from '../domain/entry.ts';
import { holdEndId } from '../domain/hold.ts';
import type { Journal } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';
import { findEntry } from './find-entry.ts';
import { toWireEntry } from './to-wire-entry.ts';

/** Why a hold that has ended cannot end again. */
const endedBy = (kind: EntryKind): ErrorCode => (kind === 'hold.expired' ? 'HOLD_EXPIRED' : 'HOLD_ALREADY_RESOLVED');

/**
 * Ends a hold; the journal decides which of several ends stands.
 * @throws CodedError ACCOUNT_NOT_FOUND, HOLD_NOT_FOUND, HOLD_ALREADY_RESOLVED, HOLD_EXPIRED, AMOUNT_INVALID, SERVICE_UNAVAILABLE
 */
export const endHold = async (
  { entries }: Dependencies,
  journal: Journal,
  { accountId, holdId }: { accountId: string; holdId: string },
  intent: Intent,
) => {
  const [outcome] = await journal.append([intent]);
  if (outcome?.kind === 'refused') throw new CodedError(outcome.code);
  const entry = await findEntry(entries, journal, holdEndId(holdId));
  if (entry === undefined) throw new CodedError('INTERNAL_ERROR', { message: 'an entry of the journal is not projected' });
  // The end of another account's hold is nothing to tell about.
  if (decodeEntry(entry.line).accountId !== accountId) throw new CodedError('HOLD_NOT_FOUND');
  if (outcome?.kind === 'exists' && !outcome.same) throw new CodedError(endedBy(outcome.was));
  return { entry: toWireEntry(entry) };
};
