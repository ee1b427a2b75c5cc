import { randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createNonces, type Nonces } from './nonces.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

let redis: Redis;
let nonces: Nonces;
beforeAll(async () => {
  redis = await openRedis(inject('redisUrl'), quietLogger);
  nonces = createNonces(redis);
});
afterAll(() => redis.destroy());

const issue = async (): Promise<string> => {
  const nonce = randomUUID();
  await nonces.issue(nonce, { fingerprint: 'text', purpose: 'sign_in' }, later(1000));
  return nonce;
};

describe('a nonce that is given back', () => {
  it('has one holder at a time, and none after the one that keeps it', async () => {
    const nonce = await issue();
    const keeps = 12;
    let [held, taken] = [0, 0];
    const contend = async (): Promise<void> => {
      while (taken < keeps) {
        const outcome = await nonces.consume(nonce, NOW);
        if (outcome === 'used') continue;
        expect(outcome).toBe('consumed');
        held += 1;
        taken += 1;
        expect(held).toBe(1);
        await redis.ping();
        held -= 1;
        if (taken < keeps) await nonces.release(nonce);
      }
    };
    await Promise.all(Array.from({ length: 8 }, contend));
    expect(taken).toBe(keeps);
    expect(await nonces.consume(nonce, NOW)).toBe('used');
  });

  it('expires when it would have', async () => {
    const nonce = await issue();
    expect(await nonces.consume(nonce, NOW)).toBe('consumed');
    await nonces.release(nonce);
    expect(await nonces.consume(nonce, later(1000))).toBe('expired');
    expect(await nonces.consume(nonce, later(999))).toBe('consumed');
  });

  it('is not one whose use has a name, nor one that nobody issued', async () => {
    const named = await issue();
    expect(await nonces.consume(named, NOW, 'a wallet')).toBe('consumed');
    await nonces.release(named);
    expect(await nonces.consume(named, NOW)).toBe('used');
    expect(await nonces.consume(named, NOW, 'another wallet')).toBe('used');
    const unknown = randomUUID();
    await nonces.release(unknown);
    await nonces.complete(unknown);
    expect(await nonces.consume(unknown, NOW)).toBe('unknown');
    expect(await redis.exists(`florin:identity:siwe:${unknown}`)).toBe(0);
  });
});
