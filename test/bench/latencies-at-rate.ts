/**
 * Calls at a fixed rate, whether or not earlier calls are answered.
 * @returns latencies in milliseconds, each from when its call was due
 */
export const latenciesAtRate = async (call: () => Promise<unknown>, perSecond: number, seconds: number): Promise<number[]> => {
  const latencies: number[] = [];
  const calls: Promise<void>[] = [];
  const started = performance.now();
  // At least one: at the rate of a busy machine a short time may have none.
  const total = Math.max(1, Math.floor(perSecond * seconds));
  while (calls.length < total) {
    const due = started + (calls.length * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(call().then(() => void latencies.push(performance.now() - due)));
  }
  await Promise.all(calls);
  return latencies;
};
