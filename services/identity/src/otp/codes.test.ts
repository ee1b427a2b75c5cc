import { randomBytes, randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { createSealer } from '@florin/rpc/crypto';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock, quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCodeStore } from '../store/codes.ts';
import { wrong } from '../testing/world.ts';
import { type CodeSlot, type Codes, createCodes } from './codes.ts';

/** Number of concurrent calls, enough to reveal a gap between comparing and counting. */
const MANY = 200;

const clock = fakeClock();
const key = randomBytes(32);
const sealer = createSealer(randomBytes(32));
const databases: Store[] = [];
/** Two replicas that share only the database, and one whose calls reach it in their order. */
let replicas: Codes[];
let inOrder: Codes;

beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  const codesOn = async (poolSize: number): Promise<Codes> => {
    const opened = await openStore({ uri, database, poolSize, logger: quietLogger });
    databases.push(opened);
    return createCodes({ store: createCodeStore(opened.connection), runtime: { ...systemRuntime, now: clock.now }, key, sealer });
  };
  replicas = [await codesOn(16), await codesOn(16)];
  inOrder = await codesOn(1);
});
afterAll(async () => {
  await databases[0]?.connection.dropDatabase();
  for (const database of databases) await database.close();
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

const issue = async (slot: CodeSlot, recipient = 'recipient') => {
  const issued = await replica(0).issue(slot, recipient);
  if ('waitMs' in issued) throw new Error('the slot has a recent code');
  return issued;
};

describe.each(SLOTS)('a code for an %s', (_purpose, newSlot) => {
  it('is compared with at most five of many concurrent guesses', async () => {
    const slot = newSlot();
    const { code } = await issue(slot);
    const guesses = Array.from({ length: MANY }, (_, index) => String(index).padStart(6, '0')).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess, index) => replica(index).check(slot, guess)));
    expect(answers.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(5);
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['invalid', 'exhausted']));
    // The right code does not help any more.
    expect(await replica(1).check(slot, code)).toEqual({ outcome: 'exhausted' });
  });

  it('is found by one of many guesses only among the first five', async () => {
    for (const position of [0, 4, 5, MANY - 1]) {
      const slot = newSlot();
      const { code } = await issue(slot);
      const guesses = Array.from({ length: MANY }, (_, index) => (index === position ? code : wrong(code)));
      const answers: Awaited<ReturnType<typeof inOrder.check>>[] = [];
      // All at once would wait for the one connection for longer than a busy machine lets them.
      for (let from = 0; from < MANY; from += 100) {
        const part = guesses.slice(from, from + 100).map((guess) => inOrder.check(slot, guess, randomUUID()));
        answers.push(...(await Promise.all(part)));
      }
      expect(answers.filter(({ outcome }) => outcome === 'valid')).toHaveLength(position < 5 ? 1 : 0);
    }
  });

  it('is accepted once when many calls present it concurrently', async () => {
    const slot = newSlot();
    const { code } = await issue(slot, 'the recipient');
    const answers = await Promise.all(Array.from({ length: MANY }, (_, index) => replica(index).check(slot, code, randomUUID())));
    expect(answers.filter(({ outcome }) => outcome === 'valid')).toEqual([
      { outcome: 'valid', id: expect.any(String), recipient: 'the recipient' },
    ]);
  });

  it('is issued once for many concurrent requests', async () => {
    const slot = newSlot();
    const all = await Promise.all(Array.from({ length: MANY }, (_, index) => replica(index).issue(slot, 'recipient')));
    expect(all.filter((issued) => 'code' in issued)).toHaveLength(1);
  });
});

describe('a corrected recipient', () => {
  it('gets one code without the pause, and replaces the code of the first recipient', async () => {
    const slot = { purpose: 'phone', userId: randomUUID() } as const;
    const first = await issue(slot, 'mistyped');
    expect(await replica(1).issue(slot, 'mistyped')).toEqual({ waitMs: 30_000 });
    const second = await issue(slot, 'corrected');
    for (const other of ['corrected', 'mistyped', 'a third']) expect(await replica(1).issue(slot, other)).toEqual({ waitMs: 30_000 });
    expect(await replica(0).check(slot, second.code)).toMatchObject({ outcome: 'valid', recipient: 'corrected' });
    if (first.code !== second.code) expect(await replica(0).check(slot, first.code)).toEqual({ outcome: 'invalid' });
    clock.advanceSeconds(30);
    await issue(slot, 'a third');
    await issue(slot, 'a fourth');
  });

  it('gets one code of many concurrent requests', async () => {
    const slot = { purpose: 'phone', userId: randomUUID() } as const;
    await issue(slot, 'mistyped');
    const all = await Promise.all(Array.from({ length: MANY }, (_, index) => replica(index).issue(slot, `corrected ${index}`)));
    expect(all.filter((issued) => 'code' in issued)).toHaveLength(1);
  });
});

it('rejects a code at another partner, for another wallet or for another address', async () => {
  const slot = { purpose: 'email', partnerId: 'one', wallet: '0xaa', emailKey: `${randomUUID()}@example.org` } as const;
  const { code } = await issue(slot);
  for (const other of [{ partnerId: 'two' }, { wallet: '0xbb' }, { emailKey: 'other@example.org' }]) {
    expect(await replica(0).check({ ...slot, ...other }, code)).toEqual({ outcome: 'invalid' });
  }
  expect(await replica(0).check(slot, code)).toMatchObject({ outcome: 'valid' });
});
