import { openStore } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GENESIS, sealBlock } from '../domain/block.ts';
import { ledgerEnvironment } from '../testing/world.ts';
import { createBlockDocuments } from './block-documents.ts';
import { createBlockStore, type StoredBlocks } from './blocks.ts';

const environment = ledgerEnvironment();
let store: Awaited<ReturnType<typeof openStore>>;
let blocks: StoredBlocks;
beforeAll(async () => {
  store = await openStore({
    uri: environment['MONGODB_URI'] ?? '',
    database: environment['MONGODB_DATABASE'] ?? '',
    poolSize: 4,
    logger: quietLogger,
  });
  blocks = createBlockStore(store.connection);
  await store.ready();
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

/** Blocks of a shard under these numbers. Their hashes do not matter to the store. */
const write = async (shard: string, numbers: readonly number[]): Promise<void> => {
  const { hash, prevHash, at, body } = sealBlock(GENESIS, { shard, epoch: 7, at: new Date(), body: '' });
  const documents = numbers.map((n) => ({ _id: `${shard}:${n}`, shard, n, epoch: n, prevHash, hash, at, body }));
  await createBlockDocuments(store.connection).insert(documents);
};
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const readAfter = async (shard: string, n: number): Promise<number[]> => {
  const found: number[] = [];
  for await (const block of blocks.after(shard, n)) found.push(block.n);
  return found;
};

describe('stored blocks', () => {
  let shards = 0;
  it.each<[string, number[]]>([
    ['no block', []],
    ['one block', [1]],
    ['as many as are read at a time', range(1, 64)],
    ['one more', range(1, 65)],
    ['many', range(1, 700)],
    ['archived ones before them', range(900, 1100)],
    ['a gap that is shorter than what is read at a time', [...range(1, 100), ...range(110, 200)]],
    ['a gap that is longer', [...range(1, 100), ...range(400, 500)]],
    ['a gap before the last one', [...range(1, 300), 5000]],
  ])('with %s are read in order from anywhere, and have an end', async (_name, numbers) => {
    shards += 1;
    const shard = String(shards);
    await write(shard, numbers);
    await write(`${shard}0`, [10_000]);
    expect(await blocks.last(shard)).toBe(numbers.at(-1) ?? 0);
    expect(await blocks.lastEpoch(shard)).toBe(numbers.at(-1) ?? 0);
    for (const n of [0, 1, 63, 64, 99, 100, 300, 899, 4999, 5000])
      expect(await readAfter(shard, n)).toEqual(numbers.filter((one) => one > n));
  });
});
