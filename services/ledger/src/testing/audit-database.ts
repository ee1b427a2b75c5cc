import { openStore } from '@florin/data/store';
import type { Environment } from '@florin/rpc/config';
import { quietLogger } from '@florin/rpc/testing';
import type { Source } from '../audit/source.ts';
import { verifyLedger } from '../audit/verify-ledger.ts';
import type { LedgerConfig } from '../config.ts';
import { headKeys } from '../heads/config.ts';
import { createBlockDocuments } from '../store/block-documents.ts';
import { createHeadStore } from '../store/heads.ts';
import { createSnapshotStore } from '../store/snapshots.ts';

export type Audit = {
  ok: boolean;
  blocks: number;
  entries: number;
  heads: number;
  firstBadBlock: string;
  problem: string;
  sums: Record<string, string>;
};

/** `npm run ledger -- verify` on a database, in this process. */
export const auditDatabase = async (
  config: Pick<LedgerConfig, 'MONGODB_URI' | 'MONGODB_DATABASE' | 'LEDGER_HEAD_KEY' | 'LEDGER_HEAD_TRUST'>,
): Promise<Audit> => {
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger: quietLogger });
  try {
    const { connection } = store;
    const audit: Audit = { ok: true, blocks: 0, entries: 0, heads: 0, firstBadBlock: '', problem: '', sums: {} };
    const shards = await createBlockDocuments(connection).shards();
    const heads = createHeadStore(connection);
    const snapshots = createSnapshotStore(connection);
    const { trusted } = headKeys(config);
    for await (const report of verifyLedger({ source: connection as unknown as Source, shards, heads, snapshots, trusted })) {
      audit.blocks += report.blocks;
      audit.entries += report.entries;
      audit.heads += report.heads;
      for (const [token, sum] of report.sums) audit.sums[token] = String(BigInt(audit.sums[token] ?? 0) + sum);
      if (report.bad === undefined || !audit.ok) continue;
      Object.assign(audit, { ok: false, firstBadBlock: report.bad.block, problem: report.bad.problem });
    }
    return audit;
  } finally {
    await store.close();
  }
};

/** The database that an environment names. */
export const databaseOf = (environment: Environment) => ({
  MONGODB_URI: environment['MONGODB_URI'] ?? '',
  MONGODB_DATABASE: environment['MONGODB_DATABASE'] ?? '',
});
