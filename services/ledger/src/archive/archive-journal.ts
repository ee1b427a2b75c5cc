import { signatureProblem } from '@florin/evm/reserves';
import type { PublicKey } from '@florin/rpc/signing-key';
import { createRunCheck } from '../audit/check-runs.ts';
import { GENESIS, readBlocks } from '../audit/read-blocks.ts';
import { AuditError, type Source } from '../audit/source.ts';
import { CommandError } from '../cli/command-error.ts';
import { rootOfAccounts } from '../heads/account-tree.ts';
import type { CheckpointStore } from '../journal/ports.ts';
import type { BlockDocuments } from '../store/block-documents.ts';
import type { HeadStore } from '../store/heads.ts';
import type { Snapshot, SnapshotStore } from '../store/snapshots.ts';
import { type ExportOptions, exportJournal } from './export-journal.ts';

export type ArchiveOptions = Pick<ExportOptions, 'records' | 'progress' | 'signer'> & {
  shard: string;
  /** Only blocks before this one are archived. */
  before: number;
  path: string;
  source: Source;
  blocks: BlockDocuments;
  heads: HeadStore;
  snapshots: SnapshotStore;
  checkpoints: Pick<CheckpointStore, 'load'>;
  /** Makes sure that the entries up to a block are found without their blocks. */
  index: (shard: string, n: number) => Promise<void>;
  trusted: readonly PublicKey[];
};

const unusable = ({ shard, n }: Snapshot, problem: string): CommandError =>
  new CommandError('SNAPSHOT_REQUIRED', `the snapshot of block ${shard}:${n} cannot be used: ${problem}`);

/** The snapshot that the journal will begin after. @throws CommandError */
const chooseSnapshot = async ({ shard, before, snapshots, checkpoints, heads, trusted }: ArchiveOptions): Promise<Snapshot> => {
  const { projected, paged } = await checkpoints.load(shard);
  // The block of the checkpoint has to stay: a start compares it.
  const limit = Math.min(before, projected + 1, paged?.n ?? 0);
  const snapshot = await snapshots.newestBefore(shard, limit);
  if (snapshot === undefined) {
    throw new CommandError('SNAPSHOT_REQUIRED', `no snapshot before block ${shard}:${limit}: make one with \`npm run ledger -- snapshot\``);
  }
  const head = await heads.findWithRoot(shard, snapshot.n);
  const problem = head === undefined ? 'it has no signed head' : signatureProblem(head, trusted);
  if (problem !== undefined || head?.root !== snapshot.root || head.hash !== snapshot.hash)
    throw unusable(snapshot, problem ?? 'its head differs');
  return snapshot;
};

/**
 * Makes sure that the blocks can be missed: the snapshot's accounts have the signed root, and the runs have the entries of the blocks.
 * @throws CommandError SNAPSHOT_REQUIRED; RUNS_BROKEN
 */
const assertReplaced = async ({ source, snapshots }: ArchiveOptions, snapshot: Snapshot, before: Snapshot | undefined): Promise<void> => {
  const { shard, n, root } = snapshot;
  if ((await rootOfAccounts(snapshots.accounts(shard, n))).toString('hex') !== root)
    throw unusable(snapshot, 'its accounts differ from its root');
  try {
    const runs = await createRunCheck(source, shard, before?.n ?? 0);
    for await (const block of readBlocks(source, shard, before ?? GENESIS, Math.max(n, runs.last))) runs.check(block);
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    throw new CommandError('RUNS_BROKEN', `block ${error.block}: ${error.message}: run \`npm run ledger -- rebuild\` first`, {
      cause: error,
    });
  }
};

/**
 * Moves a shard's old blocks into a file: those up to the last signed snapshot before `before`. From then on the stored journal
 * begins after that snapshot. Before the first block is removed, the file is complete, and the snapshot and the runs have been derived from the
 * blocks once more; a killed run is completed by the next.
 * @returns the snapshot that the journal begins after
 * @throws CommandError SNAPSHOT_REQUIRED; RUNS_BROKEN; NOTHING_TO_ARCHIVE; FILE_EXISTS
 */
export const archiveJournal = async (options: ArchiveOptions): Promise<Snapshot> => {
  const { shard, path, blocks, heads, snapshots, records, progress, signer } = options;
  const before = await snapshots.archive(shard);
  const from = before?.n ?? 0;
  // Blocks that a killed run left behind are in its file already.
  await blocks.removeUpTo(shard, from);
  const snapshot = await chooseSnapshot(options);
  if (snapshot.n <= from) throw new CommandError('NOTHING_TO_ARCHIVE', `the journal of shard ${shard} begins after block ${from} already`);
  await options.index(shard, snapshot.n);
  await assertReplaced(options, snapshot, before);
  const shards = [{ shard, from: { n: from }, to: snapshot.n }];
  await exportJournal(path, { kind: 'archive', shards, blocks: blocks.between, heads: heads.all, records, progress, signer });
  if (!(await snapshots.markArchive(shard, snapshot.n))) throw unusable(snapshot, 'a newer one has taken its place');
  await blocks.removeUpTo(shard, snapshot.n);
  return snapshot;
};
