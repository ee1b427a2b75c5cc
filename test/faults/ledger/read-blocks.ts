export type StoredBlock = { shard: string; n: number; epoch: number; at: Date; body: string };

export type JournalFacts = {
  /** Ids of all entries, in the order of the blocks. */
  ids: string[];
  /** Gaps in the blocks' numbers, and terms or times that go back. */
  problems: string[];
};

/** @param blocks by shard and number */
export const readBlocks = async (blocks: AsyncIterable<StoredBlock> | Iterable<StoredBlock>): Promise<JournalFacts> => {
  const ids: string[] = [];
  const problems: string[] = [];
  const last = new Map<string, StoredBlock>();
  for await (const block of blocks) {
    const { shard, n, epoch, at, body } = block;
    const before = last.get(shard);
    const expected = (before?.n ?? 0) + 1;
    if (n !== expected) problems.push(`block ${shard}:${expected} is missing`);
    if (before !== undefined && epoch < before.epoch) problems.push(`block ${shard}:${n} is of an earlier term than the one before`);
    if (before !== undefined && at < before.at) problems.push(`block ${shard}:${n} is older than the one before`);
    last.set(shard, block);
    // A term begins with a block without entries.
    if (body === '') continue;
    for (const line of body.split('\n')) ids.push((JSON.parse(line) as [string])[0]);
  }
  return { ids, problems };
};
