import { afterAll, beforeAll, expect } from 'vitest';
import { ledgerEnvironment, startLedger, type TestLedger } from './world.ts';

/**
 * A ledger for the tests of a file: started before the first, and closed after the last, when its journal has to verify.
 * The parameters are those of `startLedger`.
 */
export const serveLedger = (environment = ledgerEnvironment(), options?: Parameters<typeof startLedger>[1]): TestLedger => {
  const ledger = {} as TestLedger;
  beforeAll(async () => {
    Object.assign(ledger, await startLedger(environment, options));
  });
  afterAll(async () => {
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
    await ledger.close();
  });
  return ledger;
};
