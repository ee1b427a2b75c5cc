import { CodedError } from '@florin/kit/errors';

/**
 * Waits for an engine at most so long. What was asked goes on in the background: after a timeout its outcome is unknown.
 * @throws CodedError SERVICE_UNAVAILABLE
 */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CodedError('SERVICE_UNAVAILABLE', { message: 'the engine does not answer' })), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
