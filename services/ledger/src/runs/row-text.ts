import { InvariantError } from '../domain/invariant-error.ts';
import type { EntryRow } from '../domain/projection.ts';

/**
 * Rows of one account, oldest first, as bytes. The account of entries that touch no user's money is empty. Text of a part: for each account a
 * header `<account> TAB <rows> TAB <bytes of the rows> TAB <tokens, joined by commas>`, then its rows `<position> <at in ms> <1 if booked> <line>`,
 * each ended by a line feed.
 */
export type Group = { account: string; rows: number; tokens: readonly string[]; body: Buffer };

const LINE_FEED = 10;

/** The text before the line of a row; ASCII. */
export const encodeRowStart = (position: number, at: number, booked: boolean): string => `${position} ${at} ${booked ? 1 : 0} `;

/** A row's text besides its line takes no more bytes: two integers below 2^53, the mark, three spaces and the line feed. */
export const MAX_ROW_FRAME = 16 + 16 + 1 + 3 + 1;

export const encodeHeader = ({ account, rows, tokens, body }: Group): Buffer =>
  Buffer.from(`${account}\t${rows}\t${body.length}\t${tokens.join(',')}\n`);

/** The groups of a part, in order. @throws InvariantError when the text is not what the encoders make */
export const groupsOf = function* (text: Buffer): Generator<Group> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LINE_FEED, start);
    const [account, rows, size, tokens, more] = text.toString('utf8', start, end).split('\t');
    const next = end + 1 + Number(size);
    if (account === undefined || tokens === undefined || more !== undefined || !(next > end && next <= text.length)) {
      throw new InvariantError('a part of a run has a malformed header');
    }
    yield { account, rows: Number(rows), tokens: tokens === '' ? [] : tokens.split(','), body: text.subarray(end + 1, next) };
    start = next;
  }
};

const decodeRow = (text: string): EntryRow => {
  const first = text.indexOf(' ');
  const second = text.indexOf(' ', first + 1);
  return {
    position: Number(text.slice(0, first)),
    at: new Date(Number(text.slice(first + 1, second))),
    booked: text[second + 1] === '1',
    line: text.slice(second + 3),
  };
};

/** Rows of a group, oldest first. */
export const rowsOf = ({ body }: Group): EntryRow[] =>
  body
    .toString('utf8', 0, body.length - 1)
    .split('\n')
    .map(decodeRow);
