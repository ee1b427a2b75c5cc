import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';

/** Reads a stream in the background and records its messages. */
export const follow = <T>(open: (signal: AbortSignal) => Promise<AsyncIterable<T>>) => {
  const gone = new AbortController();
  const messages: T[] = [];
  let end: 'open' | 'ended' | string = 'open';
  const done = (async () => {
    for await (const message of await open(gone.signal)) messages.push(message);
    end = 'ended';
  })().catch((error: unknown) => {
    end = error instanceof CodedError ? error.code : String(error);
  });
  return {
    messages,
    /** `open`, `ended`, or the error code that ended it. */
    end: () => end,
    /** Waits until `pick` finds something in the messages so far. */
    until: <R>(what: string, pick: (messages: readonly T[]) => R | undefined) => waitFor(what, async () => pick(messages)),
    untilEnd: () => waitFor('the end of the stream', async () => (end === 'open' ? undefined : end)),
    stop: async () => {
      gone.abort();
      await done;
    },
  };
};

export type Following<T> = ReturnType<typeof follow<T>>;
