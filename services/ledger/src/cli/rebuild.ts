import { rebuildShard } from '../journal/rebuild.ts';
import { dropDerived } from '../store/derived.ts';
import type { OpenLedger } from './open-ledger.ts';
import { createProgressBar } from './progress-bar.ts';

/** Throws away everything that follows from the journal and derives it again. No ledger may run meanwhile. @throws Error when one does */
export const rebuild = async (ledger: OpenLedger, say: (line: string) => void): Promise<void> => {
  await ledger.alone(async () => {
    await dropDerived(ledger.connection);
    for (const shard of ledger.shards) {
      const bar = createProgressBar(`shard ${shard}`, process.stderr);
      const { blocks, entries } = await rebuildShard({ ...ledger, shard, progress: bar.show });
      bar.end();
      say(`ok    shard ${shard}: ${blocks} blocks, ${entries} entries`);
    }
  });
  say('rebuilt');
};
