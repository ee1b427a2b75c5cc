import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReservesStore, type ReservesStore } from './reserves.ts';

describe('published proofs of reserves', () => {
  let connection: Awaited<ReturnType<typeof openStore>>['connection'];
  let store: ReservesStore;
  beforeAll(async () => {
    const { mongodbUri, database } = testEngines();
    const opened = await openStore({ uri: mongodbUri, database: `${database}_reserves`, poolSize: 2, logger: quietLogger });
    ({ connection } = opened);
    store = createReservesStore(connection);
    await opened.ready();
  }, 60_000);
  afterAll(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });

  const textOf = (attempt: string, blockNumber = 7) => ({ chainId: 100, blockNumber, attempt });
  const fileOf = (attempt: string, blockNumber = 7) =>
    ({ ...textOf(attempt, blockNumber), blockHash: '0x07', createdAt: new Date(blockNumber), parts: 2 }) as const;

  it('have the parts of one attempt only, whatever another one that was killed or overtaken has written', async () => {
    // Killed after its first part.
    await store.savePart(textOf('killed'), 0, 'killed 0', 'a');
    for (const attempt of ['one', 'two']) {
      await store.savePart(textOf(attempt), 0, `${attempt} 0`, 'a');
      await store.savePart(textOf(attempt), 1, `${attempt} 1`, attempt === 'one' ? 'm' : 'c');
    }
    await Promise.all([store.save(fileOf('one')), store.save(fileOf('two'))]);
    const file = (await store.find(100, 7)) ?? expect.fail('nothing is published');
    await store.save(fileOf(file.attempt === 'one' ? 'two' : 'one'));
    expect((await store.newest(100))?.attempt).toBe(file.attempt);
    const text = () => Promise.all([0, 1].map((part) => store.part(file, part)));
    expect(await text()).toEqual([`${file.attempt} 0`, `${file.attempt} 1`]);
    expect([await store.partOf(file, 'b'), await store.partOf(file, 'z')]).toEqual(await text());
    await store.prune(100, 30);
    expect(await text()).toEqual([`${file.attempt} 0`, `${file.attempt} 1`]);
    expect(await store.part(textOf('killed'), 0)).toBeUndefined();
    expect(await store.part(textOf(file.attempt === 'one' ? 'two' : 'one'), 0)).toBeUndefined();
  });

  it('of earlier releases are read on', async () => {
    const former = { chainId: 1, blockNumber: 3 };
    await store.savePart(former, 0, 'former', 'a');
    await store.savePart({ ...former, attempt: 'killed' }, 0, 'killed', 'b');
    await store.save({ ...former, blockHash: '0x03', createdAt: new Date(), parts: 1 });
    const file = (await store.newest(1)) ?? expect.fail('nothing is published');
    await store.prune(1, 30);
    expect([await store.part(file, 0), await store.partOf(file, 'c')]).toEqual(['former', 'former']);
  });
});
