import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';

/** Reads a stream in the background and keeps what it told. */
export const follow = <T>(open: (signal: AbortSignal) => Promise<AsyncIterable<T>>) => {
  const gone = new AbortController();
  const told: T[] = [];
  let end: 'open' | 'ended' | string = 'open';
  const done = (async () => {
    for await (const message of await open(gone.signal)) told.push(message);
    end = 'ended';
  })().catch((error: unknown) => {
    end = error instanceof CodedError ? error.code : String(error);
  });
  return {
    told,
    /** `open`, `ended`, or the code that it ended with. */
    end: () => end,
    /** Waits until `pick` finds something in what was told so far. */
    until: <R>(what: string, pick: (told: readonly T[]) => R | undefined) => waitFor(what, async () => pick(told)),
    untilEnd: () => waitFor('the end of the stream', async () => (end === 'open' ? undefined : end)),
    stop: async () => {
      gone.abort();
      await done;
    },
  };
};

export type Following<T> = ReturnType<typeof follow<T>>;
