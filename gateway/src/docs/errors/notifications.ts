import type { NOTIFICATIONS_ERROR_CODES } from '@florin/proto/notifications/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const NOTIFICATIONS_ERRORS: Readonly<Record<keyof typeof NOTIFICATIONS_ERROR_CODES, ErrorEntry>> = {
  PUSH_NOT_AVAILABLE: {
    cause: 'The platform has no key of Web Push.',
    remedy: 'Offer Web Push only where notifications.publicKey of GET /capabilities is present.',
    repeat: 'no',
  },
  PUSH_ENDPOINT_FORBIDDEN: {
    cause: 'The endpoint is not an https URL of a push service that the platform speaks to.',
    remedy: 'Send the endpoint that the browser has given. The operator can add hosts of push services (PUSH_HOSTS).',
    repeat: 'no',
  },
};
