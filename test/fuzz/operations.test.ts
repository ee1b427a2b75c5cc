import { scaled } from '@florin/rpc/testing/scaled';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { fuzzOperations } from './fuzz.ts';

const CASES = scaled(500);

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {}, notifications: {} });
});
afterAll(() => platform?.close());

describe('generated requests to every operation', () => {
  it('get documented responses and no fault', { timeout: 120_000 }, async () => {
    const { failure, statuses, operations } = await fuzzOperations(platform.url, { cases: CASES, seed: 1 });
    expect(failure).toBeUndefined();
    const documented = Object.values(platform.document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.size).toBeGreaterThan(Math.min(documented.length * 0.9, CASES / 2));
    for (const status of [200, 401, 404, 422]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(CASES / 100);
  });
});
