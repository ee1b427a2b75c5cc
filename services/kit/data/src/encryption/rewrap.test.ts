import { randomBytes } from 'node:crypto';
import { loadConfig } from '@florin/rpc/config';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { type Model, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { createFieldCipher, fieldShape, startRewrap } from './index.ts';

type Person = { _id: string; email: string; ip?: string };

const key = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const [OLD, NEW] = [key('1'), key('2')];
const HASH_KEY = new Uint8Array(randomBytes(32));
const before = createFieldCipher([OLD], HASH_KEY);
const cipher = createFieldCipher([NEW, OLD], HASH_KEY);
const idOf = (n: number): string => `p-${String(n).padStart(3, '0')}`;
const placeOf = (id: string, field: string) => ({ collection: 'people', id, field });

let store: Store;
let people: Model<Person>;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 8, logger: quietLogger });
  people = store.connection.model<Person>(
    'Person',
    new Schema<Person>({ _id: String, email: String, ip: String }, { collection: 'people' }),
  );
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const COUNT = 450;

describe('rewrap', () => {
  it('encrypts every value anew while it is read and changed', async () => {
    await people.insertMany(
      Array.from({ length: COUNT }, (_, n) => ({
        _id: idOf(n),
        email: before.encrypt(`${idOf(n)}@example.org`, placeOf(idOf(n), 'email')),
        ...(n % 2 === 0 ? { ip: before.encrypt('203.0.113.9', placeOf(idOf(n), 'ip')) } : {}),
      })),
    );
    await people.updateOne({ _id: idOf(7) }, { $set: { email: 'f1.1.damaged' } });
    const running = startRewrap({
      connection: store.connection,
      fields: { people: ['email', 'ip'] },
      cipher,
      logger: quietLogger,
      pauseMs: 1,
    });
    // A replica that has the older configuration still writes during the first walk.
    await people.updateOne({ _id: idOf(3) }, { $set: { email: before.encrypt('changed@example.org', placeOf(idOf(3), 'email')) } });
    for (const _id of [0, 200, 449].map(idOf)) {
      const read = await people.findById(_id).lean();
      expect(cipher.decrypt(read?.email ?? '', placeOf(_id, 'email'))).toBe(`${_id}@example.org`);
    }
    await waitFor('the end of the walks', async () => (running.isDone() ? true : undefined));
    await running.close();

    const onlyNew = createFieldCipher([NEW], HASH_KEY);
    const all = (await people.find().lean()).filter(({ _id }) => _id !== idOf(7));
    expect(all).toHaveLength(COUNT - 1);
    for (const { _id, email, ip } of all) {
      expect(onlyNew.decrypt(email, placeOf(_id, 'email'))).toBe(_id === idOf(3) ? 'changed@example.org' : `${_id}@example.org`);
      if (ip !== undefined) expect(onlyNew.decrypt(ip, placeOf(_id, 'ip'))).toBe('203.0.113.9');
    }
    expect((await people.findById(idOf(7)).lean())?.email).toBe('f1.1.damaged');
  });
});

describe('configuration', () => {
  const text = randomBytes(32).toString('base64url');
  const load = (keys: string) => loadConfig(fieldShape, { FIELD_KEYS: keys, FIELD_HASH_KEY: text });

  it('accepts keys with different ids', () => {
    expect(load(JSON.stringify([{ id: '2', key: text }])).FIELD_KEYS).toMatchObject([{ id: '2' }]);
  });

  it.each([
    ['no key', []],
    [
      'one id twice',
      [
        { id: '1', key: text },
        { id: '1', key: text },
      ],
    ],
    ['a short key', [{ id: '1', key: 'AAAA' }]],
    ['an id with a dot', [{ id: '1.2', key: text }]],
  ])('rejects %s', (_what, keys) => {
    expect(() => load(JSON.stringify(keys))).toThrow('FIELD_KEYS');
  });
});
