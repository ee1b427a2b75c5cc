import { CodedError } from '../errors/index.ts';

/**
 * Waits for an engine at most `ms` milliseconds. What was asked goes on in the background: after a timeout its outcome is unknown.
 * @throws CodedError SERVICE_UNAVAILABLE, and what the work rejects with
 */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CodedError('SERVICE_UNAVAILABLE', { message: `no answer within ${ms} ms` })), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
