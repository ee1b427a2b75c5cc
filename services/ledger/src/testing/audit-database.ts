import { openStore, storeShape } from '@florin/data/store';
import type { readPublishedHeads } from '@florin/evm/reserves';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import type { Source } from '../audit/source.ts';
import { verifyLedger } from '../cli/audit-ledger.ts';
import { headShape } from '../config.ts';
import { headKeys } from '../heads/head-keys.ts';
import { createBlockDocuments } from '../store/block-documents.ts';
import { createHeadStore } from '../store/heads.ts';
import { createSnapshotStore } from '../store/snapshots.ts';

export type Audit = {
  ok: boolean;
  blocks: bigint;
  entries: bigint;
  heads: number;
  firstBadBlock: string;
  problem: string;
  sums: Record<string, string>;
};

/** `npm run ledger -- verify` on a database, in this process. @param kept heads that were kept elsewhere */
export const auditDatabase = async (environment: Environment, kept?: ReturnType<typeof readPublishedHeads>): Promise<Audit> => {
  const database = await openDatabase(environment);
  try {
    return await auditSource(database, environment, database as unknown as Source, kept);
  } finally {
    await database.close();
  }
};

/** The same on an open connection, with what the audit reads of the journal and its rows from a source. */
export const auditSource = async (
  connection: Database,
  environment: Environment,
  source: Source,
  kept?: ReturnType<typeof readPublishedHeads>,
): Promise<Audit> => {
  const audit: Audit = { ok: true, blocks: 0n, entries: 0n, heads: 0, firstBadBlock: '', problem: '', sums: {} };
  const shards = await createBlockDocuments(connection).shards();
  const heads = createHeadStore(connection);
  const snapshots = createSnapshotStore(connection);
  const { trusted } = headKeys(loadConfig(headShape, environment));
  for await (const report of verifyLedger({ source, shards, heads, snapshots, trusted, ...(kept && { kept }) })) {
    audit.blocks += BigInt(report.blocks);
    audit.entries += BigInt(report.entries);
    audit.heads += report.heads;
    for (const [token, sum] of report.sums) audit.sums[token] = String(BigInt(audit.sums[token] ?? 0) + sum);
    if (report.bad === undefined || !audit.ok) continue;
    Object.assign(audit, { ok: false, firstBadBlock: report.bad.block, problem: report.bad.problem });
  }
  return audit;
};

/** A connection to the database that an environment names. */
export const openDatabase = async (environment: Environment) => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = loadConfig(storeShape, environment);
  return (await openStore({ uri, database, poolSize: 2, logger: quietLogger })).connection;
};

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** A document as it is stored. */
export type Stored = Record<string, unknown> & { _id: string };

/** All documents of a database by collection, in the order of their ids. */
export const readDocuments = async (database: Database): Promise<Map<string, Stored[]>> => {
  const stored = new Map<string, Stored[]>();
  for (const { name } of await database.listCollections()) {
    const found = database.collection<Stored>(name).find({}, { promoteBuffers: true });
    stored.set(name, (await found.sort({ _id: 1 }).toArray()) as Stored[]);
  }
  return stored;
};

/** Replaces the documents of a database by those that were read of it. */
export const restoreDocuments = async (database: Database, stored: ReadonlyMap<string, readonly Stored[]>): Promise<void> => {
  for (const [name, documents] of stored) {
    const collection = database.collection<Stored>(name);
    await collection.deleteMany({});
    if (documents.length > 0) await collection.insertMany(structuredClone(documents) as never);
  }
};

/** Waits until the rows that follow the journal have all of it: a ledger that closes leaves the rest to its next start. */
export const untilProjected = (database: Pick<Database, 'collection'>): Promise<true> =>
  waitFor('the projections to catch up', async () => {
    const checkpoints = database.collection<{ _id: string; projected?: number }>('checkpoints');
    const last = await database
      .collection('blocks')
      .aggregate<{ _id: string; n: number }>([{ $group: { _id: '$shard', n: { $max: '$n' } } }])
      .toArray();
    const projected = await Promise.all(last.map(async ({ _id }) => (await checkpoints.findOne({ _id }))?.projected ?? 0));
    return last.some(({ n }, index) => (projected[index] ?? 0) < n) ? undefined : true;
  });

/** All documents of a database. */
export const countDocuments = async (environment: Environment): Promise<number> => {
  const database = await openDatabase(environment);
  const found = (await database.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  let documents = 0;
  for (const { name } of found) documents += await database.collection(name).countDocuments();
  await database.close();
  return documents;
};
