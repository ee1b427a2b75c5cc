import { randomBytes, randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock, quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealer } from '../crypto/sealer.ts';
import { wrong } from '../testing/world.ts';
import { type CodeSlot, type Codes, createCodes } from './codes.ts';

/** Enough at once that any gap between looking and counting would show. */
const MANY = 1000;

const clock = fakeClock();
const key = randomBytes(32);
const sealer = createSealer(randomBytes(32));
const connections: Redis[] = [];
/** Two replicas: they share nothing but Redis. */
let replicas: Codes[];
/** The key that was worked on last. */
let lastKey = '';

const noting = (redis: Redis): Redis =>
  new Proxy(redis, {
    get: (target, name) => {
      if (name !== 'eval') return Reflect.get(target, name) as unknown;
      return (script: string, options: { keys: string[]; arguments: string[] }) => {
        lastKey = options.keys[0] ?? '';
        return target.eval(script, options);
      };
    },
  });

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) connections.push(await openRedis(testEngines().redisUrl, quietLogger));
  const runtime = { ...systemRuntime, now: clock.now };
  replicas = connections.map((redis) => createCodes({ redis: noting(redis), runtime, key, sealer }));
});
afterAll(() => {
  for (const redis of connections) redis.destroy();
});

const SLOTS: [string, () => CodeSlot][] = [
  ['e-mail', () => ({ purpose: 'email', partnerId: 'florin', wallet: randomUUID(), emailKey: `${randomUUID()}@example.org` })],
  ['phone', () => ({ purpose: 'phone', userId: randomUUID() })],
];

const replica = (index: number): Codes => {
  const codes = replicas[index % 2];
  if (codes === undefined) throw new Error('no replica');
  return codes;
};

const issue = async (slot: CodeSlot, recipient = 'somebody') => {
  const issued = await replica(0).issue(slot, recipient);
  if ('waitMs' in issued) throw new Error('the slot is not free');
  return issued;
};

describe.each(SLOTS)('a code for an %s', (_purpose, newSlot) => {
  it('is checked five times at most, however many guesses arrive at once', async () => {
    const slot = newSlot();
    const { code } = await issue(slot);
    const guesses = Array.from({ length: MANY }, (_, index) => String(index).padStart(6, '0')).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess, index) => replica(index).check(slot, guess)));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['invalid']));
    expect(await connections[0]?.hGet(lastKey, 'tries')).toBe('5');
    // Burnt: the right one is a wrong one now, and is not counted any more.
    expect(await replica(1).check(slot, code)).toEqual({ outcome: 'invalid' });
  });

  it('is found among a thousand guesses only when it is one of the first five', async () => {
    for (const position of [0, 4, 5, 999]) {
      const slot = newSlot();
      const { code } = await issue(slot);
      const guesses = Array.from({ length: MANY }, (_, index) => (index === position ? code : wrong(code)));
      // One connection keeps the order.
      const answers = await Promise.all(guesses.map((guess) => replica(0).check(slot, guess, randomUUID())));
      expect(answers.filter(({ outcome }) => outcome === 'valid')).toHaveLength(position < 5 ? 1 : 0);
    }
  });

  it('is accepted once, however many present it at once', async () => {
    const slot = newSlot();
    const { code } = await issue(slot, 'the recipient');
    const answers = await Promise.all(Array.from({ length: MANY }, (_, index) => replica(index).check(slot, code, randomUUID())));
    expect(answers.filter(({ outcome }) => outcome === 'valid')).toEqual([
      { outcome: 'valid', id: expect.any(String), recipient: 'the recipient' },
    ]);
  });

  it('is issued once, however many ask at once', async () => {
    const slot = newSlot();
    const all = await Promise.all(Array.from({ length: MANY }, (_, index) => replica(index).issue(slot, 'somebody')));
    expect(all.filter((issued) => 'code' in issued)).toHaveLength(1);
  });
});

it('is worth nothing at another partner, for another wallet or another address', async () => {
  const slot = { purpose: 'email', partnerId: 'one', wallet: '0xaa', emailKey: `${randomUUID()}@example.org` } as const;
  const { code } = await issue(slot);
  for (const other of [{ partnerId: 'two' }, { wallet: '0xbb' }, { emailKey: 'other@example.org' }]) {
    expect(await replica(0).check({ ...slot, ...other }, code)).toEqual({ outcome: 'invalid' });
  }
  expect(await replica(0).check(slot, code)).toMatchObject({ outcome: 'valid' });
});
