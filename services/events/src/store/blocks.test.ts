import { openStore, type Store } from '@florin/data/store';
import { observeCommands, observedUri, testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMPTY, nextBlock } from '../domain/feed-block.ts';
import type { FeedEvent } from '../domain/feed-event.ts';
import { createArchiveStore } from './archives.ts';
import { createBlockStore } from './blocks.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const EVENT: FeedEvent = { id: 'e1', type: 'card.issued', at: AT, subject: 'card/c1', subjectSequence: 1, data: '{}', userId: 'u1' };

let store: Store;
let sent: ReturnType<typeof observeCommands>;
beforeAll(async () => {
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: observedUri(mongodbUri), database, poolSize: 1, logger: quietLogger });
  sent = observeCommands(store.connection);
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

it('reads the end of a feed as a majority has it, what is before an end as the primary has it, and proves a twin', async () => {
  const blocks = createBlockStore(store.connection);
  const archives = createArchiveStore(store.connection);
  const levels = async (read: Promise<unknown>): Promise<string[]> => {
    await read;
    return sent().flatMap(({ readConcern }) => (readConcern === undefined ? [] : [(readConcern as { level: string }).level]));
  };
  await blocks.insert(nextBlock('acme', EMPTY, [EVENT], AT));
  const user = { feed: 'acme', userId: 'u1', filter: undefined };
  expect(await levels(blocks.newest('acme'))).toEqual(['majority']);
  expect(await levels(blocks.last('acme'))).toEqual(['majority']);
  expect(await levels(blocks.numbered([{ feed: 'acme', n: 1 }]))).toEqual(['majority']);
  expect(await levels(blocks.provenLast('acme'))).toEqual(['linearizable']);
  expect(await levels(blocks.after('acme', 0, 1, 10))).toEqual(['local']);
  expect(await levels(Array.fromAsync(blocks.between('acme', 0, 1)))).toEqual(['local']);
  expect(await levels(blocks.ofUserBetween(user, 0, 1, 10))).toEqual(['local']);
  expect(await levels(blocks.lastOfUser(user, 1))).toEqual(['local']);
  expect(await levels(blocks.findKeys(['card/c1#2']))).toEqual(['local']);
  expect(await levels(blocks.findKeys(['card/c1#1']))).toEqual(['local', 'linearizable']);
  expect(await levels(archives.floor('acme'))).toEqual(['local']);
});
