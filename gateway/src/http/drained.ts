import type { Response } from 'express';

/** Waits until written data is flushed. @returns false after the timeout, or when the response must end */
export const drained = (response: Response, signal: AbortSignal | undefined, patienceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (left: boolean) => () => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onEnd);
      signal?.removeEventListener('abort', onEnd);
      resolve(left);
    };
    const [onDrain, onEnd] = [settle(true), settle(false)];
    const timer = setTimeout(onEnd, patienceMs);
    response.once('drain', onDrain).once('close', onEnd);
    signal?.addEventListener('abort', onEnd);
    if (signal?.aborted === true || response.closed) onEnd();
  });
