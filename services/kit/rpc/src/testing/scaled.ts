import { inject } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest is extended by declaration merging
  interface ProvidedContext {
    /** True if this run is `npm run proof`. */
    proof: boolean;
  }
}

/** Returns a count of random runs or rounds: all of them in `npm run proof`, which runs each file that imports this, and a fifth in `npm test`. */
export const scaled = (count: number): number => (inject('proof') ? count : Math.ceil(count / 5));
