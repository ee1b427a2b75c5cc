import { randomBytes } from 'node:crypto';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { openFieldCipher } from './index.ts';

const key = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const [OLD, NEW] = [key('1'), key('2')];
const HASH_KEY = new Uint8Array(randomBytes(32));

let store: Store;
beforeEach(async () => {
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
});
afterEach(() => store?.close());

const open = (keys: (typeof OLD)[], hashKey = HASH_KEY) => openFieldCipher(store.connection, keys, hashKey);

describe('opening the keys of fields', () => {
  it('records them at the first of several starts', async () => {
    await Promise.all(Array.from({ length: 5 }, () => open([OLD])));
    await open([OLD]);
  });

  it('rejects other keys, also under the same id', async () => {
    await open([OLD]);
    await expect(open([NEW])).rejects.toThrow(/^FIELD_KEYS: /);
    await expect(open([key('1')])).rejects.toThrow(/^FIELD_KEYS: /);
    await expect(open([OLD], new Uint8Array(randomBytes(32)))).rejects.toThrow(/^FIELD_HASH_KEY: /);
    await open([OLD]);
  });

  it('follows a rotation', async () => {
    await open([OLD]);
    await open([OLD, NEW]);
    await open([NEW, OLD]);
    await open([NEW]);
    await expect(open([OLD])).rejects.toThrow(/^FIELD_KEYS: /);
  });
});
