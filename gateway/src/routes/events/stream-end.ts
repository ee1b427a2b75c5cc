import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { STREAM_ENDS, type StreamEnd } from '../../http/define-route.ts';

/** The data of the last event of a stream. */
export const end = z.object({ code: z.enum(STREAM_ENDS) }).meta({ id: 'EventsEnd' });

/** Why a stream fails: the caller's token expired at the service first; undefined for everything else. */
export const endedBy = (error: unknown, signal: AbortSignal): StreamEnd | undefined => {
  if (signal.aborted) return STREAM_ENDS.find((code) => code === signal.reason) ?? 'STOPPING';
  return error instanceof CodedError && error.code === 'UNAUTHORIZED' ? 'TOKEN_ENDED' : undefined;
};
