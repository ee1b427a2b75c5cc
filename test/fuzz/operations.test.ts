import { scaled } from '@florin/rpc/testing/scaled';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { fuzzOperations } from './fuzz.ts';

/** Requests for each operation. */
const CASES = scaled(4);

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {}, notifications: {} });
});
afterAll(() => platform?.close());

describe('generated requests to every operation', () => {
  it('get documented responses and no fault', { timeout: 300_000 }, async () => {
    const fuzzed = await fuzzOperations(platform.url, { cases: CASES, seed: 1 });
    expect(fuzzed.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    const documented = Object.values(platform.document.paths).flatMap((methods) => Object.values(methods));
    expect(fuzzed.map(({ cases }) => cases)).toEqual(documented.map(() => CASES));
    const count = (status: number) => fuzzed.reduce((sum, { statuses }) => sum + (statuses.get(status) ?? 0), 0);
    for (const status of [200, 401, 404, 422]) expect(count(status), String(status)).toBeGreaterThan((fuzzed.length * CASES) / 100);
  });
});
