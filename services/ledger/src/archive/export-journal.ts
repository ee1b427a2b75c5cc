import type { Head } from '@florin/evm/reserves';
import type { SigningKey } from '@florin/rpc/signing-key';
import type { Place } from '../audit/read-blocks.ts';
import type { StoredBlock } from '../store/block-documents.ts';
import type { RecordStore } from '../store/records.ts';
import { type FileHeader, type WrittenLine, writeJournalFile } from './journal-file.ts';

export type ExportOptions = {
  kind: FileHeader['kind'];
  /** The blocks to write of each shard: blocks after `from` up to `to`. */
  shards: readonly { shard: string; from: Pick<Place, 'n'>; to: number }[];
  blocks: (shard: string, from: number, to: number) => AsyncIterable<StoredBlock>;
  heads: (shard: string) => Promise<Head[]>;
  records: Pick<RecordStore, 'all'>;
  progress: (shard: string) => (done: number, of: number) => void;
  /** Signs the file. */
  signer: SigningKey | undefined;
};

const linesOf = async function* ({ kind, shards, blocks, heads, records, progress }: ExportOptions): AsyncGenerator<WrittenLine> {
  yield { header: { format: 'florin-journal-1', kind, shards: shards.map(({ shard, from, to }) => ({ shard, from: from.n, to })) } };
  for (const { shard, from, to } of shards) {
    const show = progress(shard);
    for (const head of await heads(shard)) if (head.n > from.n && head.n <= to) yield { head };
    let last = from.n;
    for await (const { _id, at, ...block } of blocks(shard, from.n, to)) {
      if (block.n !== last + 1) throw new Error(`block ${shard}:${last + 1} is missing`);
      last = block.n;
      yield { block: { ...block, at: at.toISOString() } };
      show(last - from.n, to - from.n);
    }
    if (last !== to) throw new Error(`block ${shard}:${last + 1} is missing`);
  }
  // After the blocks: the records of every account that they name are stored by then.
  if (kind === 'export') for await (const { collection, record } of records.all()) yield { collection, record };
};

/**
 * Writes blocks, their signed heads and, in an export, the records that do not follow from the journal. The ledger may run meanwhile:
 * blocks never change, and those after `to` are left out.
 * @throws CommandError FILE_EXISTS
 */
export const exportJournal = (path: string, options: ExportOptions): Promise<void> =>
  writeJournalFile(path, linesOf(options), options.signer);
