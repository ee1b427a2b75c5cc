import { verifyShard } from '../journal/verify-journal.ts';
import type { OpenLedger } from './open-ledger.ts';
import { createProgressBar } from './progress-bar.ts';

/** Audits every shard and prints what it found; answers whether everything agrees. Reads only: the ledger may go on meanwhile. */
export const verify = async (
  { shards, blocks, pages, checkpoints, projections }: OpenLedger,
  say: (line: string) => void,
): Promise<boolean> => {
  const sums = new Map<string, bigint>();
  let ok = true;
  for (const shard of shards) {
    const bar = createProgressBar(`shard ${shard}`, process.stderr);
    const report = await verifyShard({ shard, blocks, pages, checkpoints, projections, progress: bar.show });
    bar.end();
    for (const [token, sum] of report.sums) sums.set(token, (sums.get(token) ?? 0n) + sum);
    const counts = `${report.blocks} blocks, ${report.entries} entries`;
    if (report.bad === undefined) say(`ok    shard ${shard}: ${counts}`);
    else {
      ok = false;
      say(`FAIL  shard ${shard}: ${counts} before block ${report.bad.block}: ${report.bad.problem}`);
    }
  }
  for (const [token, sum] of sums) say(`${sum === 0n ? 'ok  ' : 'FAIL'}  the sum of ${token} is ${sum}`);
  say(ok ? 'verified' : 'the journal and what is derived from it disagree');
  return ok;
};
