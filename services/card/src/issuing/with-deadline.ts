/** Ends a wait after `timeoutMs`, whether or not the work heeds its signal. */
export const withDeadline = async <T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const deadline = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work(signal), deadline]);
};
