import { describe, inject, it } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest is extended by declaration merging
  interface ProvidedContext {
    /** True if Hardhat is installed in `hardhat/` and runs on this machine. */
    evm: boolean;
  }
}

/** Tests that require `startEvm`; reported as skipped where it cannot run. */
export const describeOnEvm = describe.skipIf(!inject('evm'));
export const itOnEvm = it.skipIf(!inject('evm'));
