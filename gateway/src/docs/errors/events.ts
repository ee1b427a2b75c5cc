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
  EVENT_NOT_FOUND: {
    cause: 'The feed keeps no event with this id: it was never in it, or is in an archive file.',
    remedy: 'Take the `id` of an event of `GET /events`, or the `eventId` of an attempt.',
    repeat: 'no',
  },
  EVENTS_ARCHIVED: {
    cause: 'The next events after the cursor are older than the feed keeps events, and are in archive files.',
    remedy:
      'Ask the operator for the archive files, then go on with `firstCursor`, which the title of the Link header has; without `after`, reading begins there too.',
    repeat: 'after_remedy',
  },
  EVENT_TYPE_UNKNOWN: {
    cause: 'A type of events, or a group such as `card.*`, is not in the catalogue.',
    remedy: 'See the catalogue of events for its types.',
    repeat: 'after_remedy',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    cause: 'The endpoint is disabled, so nothing is delivered to it.',
    remedy: 'Enable the endpoint first.',
    repeat: 'after_remedy',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    cause: 'The partner has 20 endpoints.',
    remedy: 'Delete an endpoint, or let one endpoint receive more types.',
    repeat: 'after_remedy',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: 'The partner has no endpoint of this id.',
    remedy: 'List the endpoints for their ids.',
    repeat: 'no',
  },
  WEBHOOK_ORDER_LIMIT_REACHED: {
    cause: 'Twenty redeliveries and test events, or five replays, wait for this endpoint.',
    remedy: 'Wait until they are delivered, or have begun.',
    repeat: 'after_remedy',
  },
  WEBHOOK_SECRET_INVALID: {
    cause: 'The secret is not `whsec_` and base64 of 24 to 64 bytes.',
    remedy: 'Send a longer secret in this form, or none to get a new one.',
    repeat: 'after_remedy',
  },
  WEBHOOK_URL_FORBIDDEN: {
    cause: 'The URL is not one of a host on the public internet, or not https, or contains a user name or a fragment.',
    remedy: 'Send an https URL of a public host. The title of the Link header says what is wrong.',
    repeat: 'after_remedy',
  },
};
