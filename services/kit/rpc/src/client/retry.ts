import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { isUnreachable } from '../errors/index.ts';
import { pause } from '../time/index.ts';

/** Pauses before the second and third attempt: long enough for most restarts of a service. */
const RETRY_PAUSES_MS = [50, 250] as const;

/**
 * Retries unary calls when the service could not be reached, within the deadline of the call. Only methods whose contract declares
 * an idempotency level are retried; an error that the service returned never is.
 */
export const retryIdempotent: Interceptor = (next) => async (request) => {
  const level = request.stream ? Level.IDEMPOTENCY_UNKNOWN : request.method.idempotency;
  const retryable = level === Level.NO_SIDE_EFFECTS || level === Level.IDEMPOTENT;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await next(request);
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      const pauseMs = RETRY_PAUSES_MS[attempt];
      if (!retryable || !isUnreachable(error) || pauseMs === undefined || request.signal.aborted) throw error;
      await pause(pauseMs);
    }
  }
};
