import { setImmediate as turn } from 'node:timers/promises';

/** The most bytes that are joined: a reader that is slow holds back no more than this and one message. */
const MAX_BYTES = 65_536;

/**
 * Joins the chunks of a body that are ready at the same time, so that the messages of a burst cost one write together: a write to a socket costs more
 * than making a message does. A chunk waits for others until the end of the current turn of the event loop, never for a later one.
 */
export const joinReady = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = body[Symbol.asyncIterator]();
  const pull = (): Promise<IteratorResult<Uint8Array>> => {
    const next = iterator.next();
    // It may fail while the reader is busy with the chunks before it; the failure is raised when its turn comes.
    next.catch(() => undefined);
    return next;
  };
  try {
    let next = pull();
    for (let first = await next; first.done !== true; first = await next) {
      const chunks = [first.value];
      let bytes = first.value.byteLength;
      const turnEnds = turn(undefined);
      next = pull();
      while (bytes < MAX_BYTES) {
        const more = await Promise.race([next.catch(() => undefined), turnEnds]);
        if (more === undefined || more.done === true) break;
        chunks.push(more.value);
        bytes += more.value.byteLength;
        next = pull();
      }
      yield chunks.length === 1 ? first.value : Buffer.concat(chunks, bytes);
    }
  } finally {
    // Not awaited: a source may still be waiting.
    iterator.return?.().catch(() => undefined);
  }
};
