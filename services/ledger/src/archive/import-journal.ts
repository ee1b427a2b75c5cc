import type { Head } from '@florin/evm/reserves';
import { CommandError } from '../cli/command-error.ts';
import type { BlockDocuments, StoredBlock } from '../store/block-documents.ts';
import type { HeadStore } from '../store/heads.ts';
import type { RecordStore } from '../store/records.ts';
import { checkFiles, type FileContent, type FileTrust } from './check-file.ts';
import { readJournalFile } from './journal-file.ts';

export type ImportOptions = {
  paths: readonly string[];
  trust: FileTrust;
  blocks: Pick<BlockDocuments, 'insert'>;
  heads: Pick<HeadStore, 'add'>;
  records: RecordStore;
  now: () => Date;
  /** Does work while no ledger can own these shards. */
  alone: (shards: readonly string[], work: () => Promise<void>) => Promise<void>;
  /** Derives everything that follows from a shard's journal. */
  rebuild: (shard: string) => Promise<void>;
  progress: (shard: string) => (done: number, of: number) => void;
};

const BLOCKS_PER_WRITE = 20;

/**
 * @param checksum of the content that was checked: a file can be replaced after that
 * @throws CommandError FILE_BROKEN when it holds something else by now; perhaps only after that was written
 */
const writeFile = async (
  path: string,
  checksum: string | undefined,
  { blocks, heads, records, progress }: ImportOptions,
): Promise<void> => {
  let waiting: StoredBlock[] = [];
  const flush = async () => {
    await blocks.insert(waiting);
    waiting = [];
  };
  const ends = new Map<string, number>();
  for await (const line of readJournalFile(path)) {
    if ('end' in line) {
      if (line.end.sha256 !== checksum) throw new CommandError('FILE_BROKEN', `${path} was changed while it was imported`);
      break;
    }
    if ('header' in line) for (const { shard, to } of line.header.shards) ends.set(shard, to);
    else if ('head' in line) await heads.add(line.head as Head);
    else if ('record' in line) await records.insert(line.collection, line.record);
    else {
      const { block } = line;
      waiting.push({ _id: `${block.shard}:${block.n}`, ...block, at: new Date(block.at) });
      if (waiting.length < BLOCKS_PER_WRITE) continue;
      await flush();
      progress(block.shard)(block.n, ends.get(block.shard) ?? block.n);
    }
  }
  await flush();
};

/**
 * Restores an empty database from journal files. The files are read to their ends first: one that is broken changes nothing. An
 * import that fails empties the database again; one that is killed leaves a marker, with which no ledger starts and from which the
 * next import begins anew.
 * @throws CommandError FILE_NOT_FOUND; FILE_BROKEN; FILE_NOT_SIGNED; HEAD_KEY_REQUIRED; DATABASE_NOT_EMPTY
 */
export const importJournal = async (options: ImportOptions): Promise<FileContent> => {
  const { paths, trust, records, now, alone, rebuild } = options;
  const content = await checkFiles(paths, trust);
  const shards = [...content.tails.keys()];
  await alone(shards, async () => {
    const found = (await records.importPending()) ? undefined : await records.findNonEmpty();
    if (found !== undefined) {
      throw new CommandError('DATABASE_NOT_EMPTY', `collection ${found} holds documents: import into a new database`);
    }
    await records.beginImport(now());
    try {
      await records.wipe();
      for (const path of paths) await writeFile(path, content.checksums.get(path), options);
      for (const shard of shards) await rebuild(shard);
      await records.endImport();
    } catch (error) {
      await records.wipe();
      await records.endImport();
      throw error;
    }
  });
  return content;
};
