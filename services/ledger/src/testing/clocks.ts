import type { LedgerOverrides } from '../app.ts';

/** Overrides with which the engine's clock and the monotonic clock follow a clock that a test sets. */
export const clocksOf = ({ runtime, blocks = (real) => real }: LedgerOverrides): LedgerOverrides => {
  const now = runtime?.now;
  if (now === undefined) return {};
  return { blocks: (real) => ({ ...blocks(real), time: async () => now() }), monotonicMs: () => now().getTime() };
};
