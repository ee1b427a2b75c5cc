import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPageCheck } from './check-pages.ts';
import { AuditError, type Cursor, type Source } from './source.ts';

const ACCOUNT = 'an account';
const lineWith = (amount: string) => [ACCOUNT, 'active', [['EURe/available', amount]], []] as never;

const pageOf = (slot: number, asOf: number, amount: string) => {
  const text = JSON.stringify([lineWith(amount)]);
  const sum = hash('sha256', JSON.stringify(['0', 'p', slot, asOf, text]), 'base64url');
  return { _id: `0:p:${slot}`, shard: '0', page: 'p', slot, asOf, text, sum };
};

/** Stored pages beside a checkpoint that names block `paged`. */
const sourceOf = (pages: readonly object[], paged: number): Source => {
  const cursorOf = (rows: readonly object[]): Cursor => ({
    sort: () => cursorOf(rows),
    batchSize: () => cursorOf(rows),
    [Symbol.asyncIterator]: async function* () {
      yield* rows;
    },
  });
  const checkpoint = { _id: '0', paged: { n: paged, hash: '', at: new Date(0) } };
  return {
    collection: (name) => ({
      find: (filter) => cursorOf(name === 'checkpoints' ? [checkpoint] : '_id' in filter ? [] : pages),
      countDocuments: async () => 0,
    }),
  };
};

/** Walks blocks 1 to 9; each leaves the account with as much as its number. */
const walk = async (source: Source, paged: number): Promise<void> => {
  const pages = await createPageCheck(source, '0', paged, () => true);
  for (let n = 1; n <= 9; n += 1) pages.check(n, [ACCOUNT], () => lineWith(`${n}`));
  pages.end(9);
};

describe('the audit of balance pages', () => {
  it('accepts the version that the checkpoint relies on, beside a later one', async () => {
    await expect(walk(sourceOf([pageOf(0, 3, '3'), pageOf(1, 5, '5')], 3), 3)).resolves.toBeUndefined();
  });

  it('accepts versions that were replaced by a running ledger after the checkpoint had been read', async () => {
    await expect(walk(sourceOf([pageOf(0, 7, '7'), pageOf(1, 5, '5')], 5), 3)).resolves.toBeUndefined();
  });

  it.each([
    ['the checkpoint relies on a version that is missing', [pageOf(1, 5, '5')], '0:1'],
    ['the checkpoint relies on a version that lacks blocks', [pageOf(0, 1, '1')], '0:2'],
    ['a replaced version is wrong', [pageOf(0, 3, '3'), pageOf(1, 5, '6')], '0:5'],
    ['a version is newer than the journal', [pageOf(0, 3, '3'), pageOf(1, 10, '10')], '0:10'],
  ])('names the block when %s', async (_name, pages, block) => {
    const failure = await walk(sourceOf(pages, 3), 3).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AuditError);
    expect(failure).toMatchObject({ block });
  });
});
