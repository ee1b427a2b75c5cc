import { randomUUID } from 'node:crypto';
import { openRedis } from '@florin/data/redis';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUsedProofs } from './used-proofs.ts';

let relay: Awaited<ReturnType<typeof startRedisRelay>>;
let redis: Awaited<ReturnType<typeof openRedis>>;
beforeAll(async () => {
  relay = await startRedisRelay(testEngines().redisUrl);
  redis = await openRedis(relay.url, quietLogger);
});
afterAll(async () => {
  redis?.destroy();
  await relay?.close();
});

const newProof = () => ({ jkt: randomUUID(), jti: randomUUID() });

describe('used proofs', () => {
  it('are known to every gateway, per key', async () => {
    const [one, two] = [createUsedProofs({ redis, logger: quietLogger }), createUsedProofs({ redis, logger: quietLogger })];
    const proof = newProof();
    expect([await one.use(proof), await one.use(proof), await two.use(proof)]).toEqual([true, false, false]);
    expect(await two.use({ ...proof, jkt: randomUUID() })).toBe(true);
  });

  it('beyond the limit are known from Redis', async () => {
    const { use } = createUsedProofs({ redis, logger: quietLogger, maxProofs: 1 });
    const [first, second] = [newProof(), newProof()];
    expect([await use(first), await use(second), await use(first), await use(second)]).toEqual([true, true, false, false]);
  });

  it('are remembered by the process while Redis is unavailable, and beyond the limit new ones are rejected until old ones expire', async () => {
    let time = 0;
    const { use } = createUsedProofs({ redis, logger: quietLogger, now: () => time, maxProofs: 2 });
    const [first, second, third] = [newProof(), newProof(), newProof()];
    await relay.cut();
    try {
      expect([await use(first), await use(second), await use(first)]).toEqual([true, true, false]);
      await expect(use(third)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect([await use(second), await use(first)]).toEqual([false, false]);
      time = 130_000;
      expect(await use(third)).toBe(true);
    } finally {
      await relay.restore();
    }
  });
});
