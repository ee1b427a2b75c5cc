import { CodedError } from '../errors/index.ts';

/**
 * Waits at most `ms` milliseconds for work on an engine. After a timeout the work continues and its outcome is unknown.
 * @throws CodedError SERVICE_UNAVAILABLE after the timeout; otherwise the rejection of the work
 */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CodedError('SERVICE_UNAVAILABLE', { message: `timed out after ${ms} ms` })), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
