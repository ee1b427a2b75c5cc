import { CodedError } from '../errors/index.ts';

/** Calls without authorization that one connection may have open: a few health watches and a reflection client. */
const MAX_PER_CONNECTION = 16;

/** Calls without authorization that a process may have open. */
const MAX_TOTAL = 1000;

export type AnonymousCalls = {
  /**
   * Counts a call on a connection. @returns the function that releases it
   * @throws CodedError STREAM_LIMIT_REACHED when the connection or the process has too many such calls
   */
  take: (connection: object) => () => void;
};

/** Bounds the calls that need no authorization, which anyone who reaches the port can open and keep open. */
export const createAnonymousCalls = ({ perConnection = MAX_PER_CONNECTION, total = MAX_TOTAL } = {}): AnonymousCalls => {
  const open = new WeakMap<object, number>();
  let all = 0;
  return {
    take: (connection) => {
      const own = open.get(connection) ?? 0;
      if (own >= perConnection || all >= total) throw new CodedError('STREAM_LIMIT_REACHED', { metadata: { retryAfterSeconds: '10' } });
      open.set(connection, own + 1);
      all += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        open.set(connection, (open.get(connection) ?? 1) - 1);
        all -= 1;
      };
    },
  };
};
