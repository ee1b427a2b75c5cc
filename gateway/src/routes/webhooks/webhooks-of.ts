import { CodedError } from '@florin/rpc/errors';
import type { Upstream } from '../../clients/upstream.ts';

/** The endpoints of partners. @throws CodedError SERVICE_UNAVAILABLE where no events service is configured */
export const webhooksOf = ({ webhooks }: Upstream): NonNullable<Upstream['webhooks']> => {
  if (webhooks === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no events service is configured' });
  return webhooks;
};
