import { CodedError } from '@florin/rpc/errors';

/**
 * Streams that are open at once. A reader that is slow holds its slot no longer than its token is valid: then its stream ends, and it resumes
 * with a new one.
 */
export type StreamSlots = {
  /** @returns what ends the slot @throws CodedError STREAM_LIMIT_REACHED */
  take: (client: string) => () => void;
};

/** @param limits streams per client, and of all clients together, at this instance */
export const createStreamSlots = (limits: { perClient: number; total: number }): StreamSlots => {
  const open = new Map<string, number>();
  let total = 0;
  return {
    take: (client) => {
      const own = open.get(client) ?? 0;
      if (own >= limits.perClient || total >= limits.total) throw new CodedError('STREAM_LIMIT_REACHED');
      open.set(client, own + 1);
      total += 1;
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        total -= 1;
        const left = (open.get(client) ?? 1) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      };
    },
  };
};
