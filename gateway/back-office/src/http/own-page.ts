import type { IncomingMessage } from 'node:http';
import { CodedError } from '@florin/rpc/errors';

/**
 * Requires that a request comes from a page of this origin: other ports of a host share its cookies, and other hosts of a site count as the same
 * site. Browsers say where a request comes from (Fetch Metadata), and name the origin with everything that may change something.
 * @throws CodedError FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
 */
export const requireOwnPage = ({ method, headers }: IncomingMessage, origin: string): void => {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin';
  const changes = method !== 'GET' && method !== 'HEAD';
  if (isForeign || (changes && headers.origin !== origin)) {
    throw new CodedError('FORBIDDEN', { message: 'the request is not one of a page of this origin' });
  }
  if (changes && headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', { message: 'the body must be application/json' });
  }
};
