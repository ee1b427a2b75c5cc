import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { isConnectionFault } from '../errors/index.ts';
import { pause } from '../time/index.ts';

/** Pauses before a repeated try: a service that is being restarted is back within these, most of the time. */
const RETRY_PAUSES_MS = [50, 250] as const;

/** No answer of the service: those carry details. */
const isUnreachable = (error: ConnectError): boolean =>
  (error.code === Code.Unavailable && error.details.length === 0) || isConnectionFault(error);

/** Repeats what may be repeated (by its contract's idempotency level) when the service could not be reached, within the deadline. */
export const retryIdempotent: Interceptor = (next) => async (request) => {
  const level = request.stream ? Level.IDEMPOTENCY_UNKNOWN : request.method.idempotency;
  const repeatable = level === Level.NO_SIDE_EFFECTS || level === Level.IDEMPOTENT;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await next(request);
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      const pauseMs = RETRY_PAUSES_MS[attempt];
      if (!repeatable || !isUnreachable(error) || pauseMs === undefined || request.signal.aborted) throw error;
      await pause(pauseMs);
    }
  }
};
