import { CodedError } from '@florin/rpc/errors';
import type { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { type eventQuery, requireKnownTypes } from '../../schemas/event.ts';

/** The feeds. @throws CodedError SERVICE_UNAVAILABLE where no events service is configured */
export const feedsOf = ({ events }: Upstream): NonNullable<Upstream['events']> => {
  if (events === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no events service is configured' });
  return events;
};

/** The source of new events. @throws CodedError SERVICE_UNAVAILABLE where no events service is configured */
export const growthOf = ({ feedGrowth }: Upstream): NonNullable<Upstream['feedGrowth']> => {
  if (feedGrowth === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no events service is configured' });
  return feedGrowth;
};

/** The request of a reader. The service reads the partner, and the user, from the caller's token. @throws CodedError VALIDATION_FAILED */
export const toReader = ({ after = '', types: given, version }: z.output<typeof eventQuery>) => {
  const types = given?.split(',') ?? [];
  requireKnownTypes(types);
  return { after, types, dataVersion: Number(version ?? 0) };
};
