import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { hashInput } from '@florin/rpc/hashing';
import { quietLogger } from '@florin/rpc/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReservations, type Reservations } from './idempotency.ts';
import { openStore, type Store } from './store/index.ts';
import { testEngines } from './testing/index.ts';

describe('hashInput', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, shuffled(item)]),
    );
  };

  it('does not depend on the order of keys or on undefined values', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => hashInput(shuffled(value)) === hashInput(value)));
    expect(hashInput({ a: 1, b: undefined })).toBe(hashInput({ a: 1 }));
  });

  it('is equal exactly for equal content', () => {
    const pair = fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.boolean()).map(([one, other, same]) => [one, same ? shuffled(one) : other]);
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(fc.property(pair, ([one, other]) => (hashInput(one) === hashInput(other)) === isDeepStrictEqual(plain(one), plain(other))));
  });

  it('distinguishes types', () => {
    const values = [
      undefined,
      null,
      '',
      '1',
      1,
      1n,
      '1n',
      true,
      'true',
      [],
      {},
      [1],
      { a: 1 },
      { a: '1' },
      { a: 1n },
      { a: null },
      { b: 1 },
      [[]],
      [null],
      { a: { b: 1 } },
      { a: { b: 2 } },
      new Date(0),
      new Date(1),
      new Date(0).toISOString(),
      [1, 2],
      [2, 1],
    ];
    expect(new Set(values.map(hashInput)).size).toBe(values.length);
  });

  it('rejects maps and sets', () => {
    expect(() => hashInput({ a: new Map([[1, 2]]) })).toThrow(TypeError);
    expect(() => hashInput(new Set([1]))).toThrow(TypeError);
  });

  it('accepts lone surrogates, and rejects numbers without a JSON form', () => {
    expect(hashInput({ '\ud800': '\ud800' })).toBe(hashInput({ '\ufffd': '\ufffd' }));
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => hashInput({ value })).toThrow();
  });
});

describe('reservations', () => {
  let store: Store;
  let reservations: Reservations;
  const now = new Date();

  beforeAll(async () => {
    const { mongodbUri: uri, database } = testEngines();
    store = await openStore({ uri, database, poolSize: 16, logger: quietLogger });
    reservations = createReservations(store.connection);
  });
  afterAll(() => store.close());

  it('bind a key to the first id for every caller', async () => {
    const key = randomUUID();
    expect(await reservations.find({ key, inputHash: 'h' })).toBeUndefined();
    expect(await reservations.reserve({ key, inputHash: 'h', newId: 'first', now })).toEqual({ resourceId: 'first', repeated: false });
    expect(await reservations.reserve({ key, inputHash: 'h', newId: 'second', now })).toEqual({ resourceId: 'first', repeated: true });
    expect(await reservations.find({ key, inputHash: 'h' })).toEqual({ resourceId: 'first' });
  });

  it('have one winner in a race', async () => {
    const key = randomUUID();
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, index) => reservations.reserve({ key, inputHash: 'h', newId: `${index}`, now })),
    );
    expect(new Set(tries.map(({ resourceId }) => resourceId)).size).toBe(1);
    expect(tries.filter(({ repeated }) => !repeated)).toHaveLength(1);
  });

  it('reject other content, also in a race', async () => {
    const key = randomUUID();
    const tries = await Promise.allSettled(['a', 'b'].map((inputHash) => reservations.reserve({ key, inputHash, newId: inputHash, now })));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    await expect(reservations.find({ key, inputHash: 'c' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});
