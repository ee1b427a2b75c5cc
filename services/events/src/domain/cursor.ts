import { CodedError } from '@florin/rpc/errors';

/** Sequences are exact as numbers up to here. */
const FORM = /^(_platform|[a-z0-9][a-z0-9-]{0,39}):(0|[1-9]\d{0,14})$/;

/** The cursor after an event of a feed: `<feed>:<sequence>`. It suits every filter and every way of reading. */
export const cursorOf = (feed: string, sequence: number): string => `${feed}:${sequence}`;

/**
 * Reads a cursor of a feed.
 * @returns the sequence after which to read; undefined for the beginning
 * @throws CodedError CURSOR_INVALID, also for the cursor of another feed
 */
export const parseCursor = (feed: string, text: string): number | undefined => {
  if (text === '') return undefined;
  const [, of, sequence] = FORM.exec(text) ?? [];
  if (of === undefined) throw new CodedError('CURSOR_INVALID', { message: 'after: must be a cursor of an earlier response' });
  if (of !== feed) throw new CodedError('CURSOR_INVALID', { message: 'after: is a cursor of another feed' });
  return Number(sequence);
};
