import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenBlockStore, type TokenBlockStore } from './token-blocks.ts';

describe('stored blocks of tokens', () => {
  let connection: Awaited<ReturnType<typeof openStore>>['connection'];
  let store: TokenBlockStore;
  beforeAll(async () => {
    const { mongodbUri, database } = testEngines();
    const opened = await openStore({ uri: mongodbUri, database: `${database}_token_blocks`, poolSize: 2, logger: quietLogger });
    ({ connection } = opened);
    store = createTokenBlockStore(connection);
    await opened.ready();
  }, 60_000);
  afterAll(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });

  it('are all read, however many there are', async () => {
    const documents = Array.from({ length: 1200 }, (_, index) => {
      const block = { token: 'EURe', reason: 'frozen', accountId: `a${index}`, since: new Date(index) };
      return { _id: `EURe/frozen/${block.accountId}` as never, ...block };
    });
    await connection.collection('token_blocks').insertMany(documents);
    expect(new Set((await store.all()).map(({ accountId }) => accountId)).size).toBe(1200);
  });
});
