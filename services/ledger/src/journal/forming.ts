import type { Draft, Verdict } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { type Group, rejectGroups } from './queue.ts';

/**
 * A block is one document, and the engine takes none above 16 MiB. One call more fits on top of this: it brings 1 MiB at most, which becomes no more
 * than six times as much.
 */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;

/** Bytes in a line per character of a fact at most: a control character is escaped (RFC 8259, section 7), all others take three in UTF-8 or fewer. */
const BYTES_PER_CHARACTER = 6;

/** A block in the making, and the callers that wait for it. */
export type Forming = Draft & { round: number; judged: number; bytes: number; members: { group: Group; verdicts: Verdict[] }[] };

/** Upper bound of the length of an entry's line: ids and hash, per transfer its sides, amount and booked balances, and its facts. */
const bytesOf = ({ transfers, data }: Entry): number => {
  let bytes = 700 + 350 * transfers.length;
  for (const key in data) bytes += 8 + BYTES_PER_CHARACTER * (key.length + (data[key]?.length ?? 0));
  return bytes;
};

/** Adds a caller whose intents were judged. */
export const addMember = (forming: Forming, group: Group, verdicts: Verdict[]): void => {
  for (const verdict of verdicts) if (verdict.kind === 'created') forming.bytes += bytesOf(verdict.entry);
  forming.judged += verdicts.length;
  forming.members.push({ group, verdicts });
};

/** Refusals count as well: they wait for the writer like the rest. */
export const isFull = ({ judged, bytes }: Forming, maxEntries: number): boolean => judged >= maxEntries || bytes >= MAX_BLOCK_BYTES;

export const settleDraft = ({ n, at, members }: Forming): void => {
  for (const { group, verdicts } of members) group.resolve({ verdicts, place: { n, at } });
};

export const rejectDraft = ({ members }: Forming, message: string): void =>
  rejectGroups(
    members.map(({ group }) => group),
    message,
  );
