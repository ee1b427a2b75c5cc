import type { VerifyJournalRequest } from '@florin/proto/ledger/v1/journal_service';
import { serviceMethod } from '@florin/rpc/server';
import { verifyShard } from '../journal/verify-journal.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Audits all shards, one after the other, from what is stored. Balances in memory are stored first, so that they are audited too.
 * One audit at a time: a concurrent call gets the same one, because an audit walks everything beside the writer.
 */
export const verifyJournal = ({ shards, blocks, pages, checkpoints, audit }: Dependencies) => {
  const run = async () => {
    await Promise.all(shards.journals().map((journal) => journal.flush()));
    let walked = 0n;
    let entries = 0n;
    let bad: { block: string; problem: string } | undefined;
    const sums = new Map<string, bigint>();
    for (const shard of shards.names()) {
      const report = await verifyShard({ shard, blocks, pages, checkpoints, projections: audit });
      walked += BigInt(report.blocks);
      entries += BigInt(report.entries);
      for (const [token, sum] of report.sums) sums.set(token, (sums.get(token) ?? 0n) + sum);
      bad ??= report.bad;
    }
    return {
      ok: bad === undefined,
      blocks: walked,
      entries,
      firstBadBlock: bad?.block ?? '',
      problem: bad?.problem ?? '',
      sums: Object.fromEntries([...sums].map(([token, sum]) => [token, sum.toString()])),
    };
  };
  let running: ReturnType<typeof run> | undefined;
  return serviceMethod('ledger.journal.read', (_request: VerifyJournalRequest) => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  });
};
