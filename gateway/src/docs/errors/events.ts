import type { EVENTS_ERROR_CODES } from '@florin/proto/events/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const EVENTS_ERRORS: Readonly<Record<keyof typeof EVENTS_ERROR_CODES, ErrorEntry>> = {
  CURSOR_AHEAD: {
    cause: 'The cursor is beyond the end of the feed: no response has contained it.',
    remedy: 'Go on with the cursor of the last response. If the feed was restored from a backup, begin at `checkpoint.sequence`.',
    repeat: 'after_remedy',
  },
  CURSOR_INVALID: {
    cause: 'The text is not a cursor, or it is a cursor of another feed.',
    remedy: 'Send the cursor of an earlier response of this feed, or none to begin with the oldest event that is kept.',
    repeat: 'after_remedy',
  },
  EVENTS_ARCHIVED: {
    cause: 'The next events after the cursor are older than the feed keeps events, and are in archive files.',
    remedy: 'Ask the operator for the archive files, then go on with `firstCursor` of the metadata.',
    repeat: 'after_remedy',
  },
  EVENT_TYPE_UNKNOWN: {
    cause: 'A type of events, or a group such as `card.*`, is not in the catalogue.',
    remedy: 'See the catalogue of events for its types.',
    repeat: 'after_remedy',
  },
};
