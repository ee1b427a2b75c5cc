import { rebuildShard } from '../journal/rebuild.ts';
import { dropDerived } from '../store/derived.ts';
import { CommandError } from './command-error.ts';
import type { OpenLedger } from './open-ledger.ts';
import { createProgressBar } from './progress-bar.ts';

/** Derives everything that follows from a shard's journal. */
export const rebuildOne = async (ledger: OpenLedger, shard: string, say: (line: string) => void): Promise<void> => {
  const bar = createProgressBar(`shard ${shard}`, ledger.terminal);
  const { blocks, entries } = await rebuildShard({ ...ledger, shard, progress: bar.show });
  bar.end();
  say(`ok    shard ${shard}: ${blocks} blocks, ${entries} entries`);
};

/**
 * Drops everything that follows from the journal and derives it again. No ledger may run meanwhile.
 * @throws Error when one does; CommandError JOURNAL_ARCHIVED when old blocks are in archive files
 */
export const rebuild = async (ledger: OpenLedger, say: (line: string) => void): Promise<void> => {
  for (const shard of ledger.shards) {
    const archive = await ledger.snapshots.archive(shard);
    if (archive !== undefined) {
      const what = `blocks 1 to ${archive.n} of shard ${shard} are in archive files`;
      throw new CommandError(
        'JOURNAL_ARCHIVED',
        `${what}: export the journal, and import the archive files and the export into a new database`,
      );
    }
  }
  await ledger.alone(ledger.shards, async () => {
    await dropDerived(ledger.connection);
    for (const shard of ledger.shards) await rebuildOne(ledger, shard, say);
  });
  say('rebuilt');
};
