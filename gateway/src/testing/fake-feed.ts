import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/rpc/errors';
import type { Call } from '@florin/rpc/server';

type Message = { eventId: string; challenge?: object; userId?: string; gap?: boolean };

/** The stream of all challenges' changes, as the 3DS service serves it, under the control of a test. */
export const createFakeFeed = () => {
  const streams = new Set<{ push: (message: Message) => void; cut: (error: CodedError) => void }>();
  let position = '7-1';
  const resumed: string[] = [];
  return {
    /** The last_event_id of every stream that was opened. */
    resumed,
    streams: () => streams.size,
    /** Sends a message on all open streams. */
    send: (message: Message): void => {
      position = message.eventId;
      for (const stream of streams) stream.push(message);
    },
    /** Breaks all open streams. */
    cut: (error = new CodedError('SERVICE_UNAVAILABLE')): void => {
      for (const stream of streams) stream.cut(error);
    },
    open: async function* ({ lastEventId }: { lastEventId: string }, { signal }: Pick<Call<unknown>, 'signal'>): AsyncGenerator<object> {
      const queue: Message[] = [{ eventId: position, gap: lastEventId === '' }];
      let broken: CodedError | undefined;
      let wake: () => void = () => undefined;
      const stream = {
        push: (message: Message) => {
          queue.push(message);
          wake();
        },
        cut: (error: CodedError) => {
          broken = error;
          wake();
        },
      };
      resumed.push(lastEventId);
      streams.add(stream);
      signal.addEventListener('abort', () => wake());
      try {
        for (;;) {
          for (let message = queue.shift(); message !== undefined; message = queue.shift())
            yield { serverTime: timestampFromDate(new Date()), ...message };
          if (broken !== undefined) throw broken;
          if (signal.aborted) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        streams.delete(stream);
      }
    },
  };
};

export type FakeFeed = ReturnType<typeof createFakeFeed>;
