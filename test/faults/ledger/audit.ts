import { waitFor } from '@florin/rpc/testing/wait-for';
import mongoose from 'mongoose';
import type { LedgerCluster } from '../../support/ledger-cluster.ts';
import { verifyLedger } from '../../support/verify-ledger.ts';
import type { FaultAccount, Told } from './load.ts';
import type { Patient } from './patient.ts';
import { type JournalFacts, readBlocks, type StoredBlock } from './read-blocks.ts';

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const SETTLE_TIMEOUT_MS = 60_000;

/** Reads the journal from the database, without the ledger's code. */
const readJournal = async (mongodbUri: string): Promise<JournalFacts> => {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'florin_ledger' }).asPromise();
  try {
    return await readBlocks(connection.collection<StoredBlock>('blocks').find({}).sort({ shard: 1, n: 1 }));
  } finally {
    await connection.close();
  }
};

/** Compares what callers were told with the journal, the balances and the ledger's own audit. */
export const auditLedger = async (
  cluster: LedgerCluster,
  patient: Patient,
  accounts: readonly FaultAccount[],
  told: Told,
): Promise<{ problems: string[]; entries: number }> => {
  const problems: string[] = [];

  for (const { accountId, userId } of accounts) {
    const token = await cluster.authority.userToken({ wallet: OWNER, userId });
    const expected = (told.available.get(accountId) ?? 0n).toString();
    const read = async () => {
      const { currencies } = await patient.ask(({ balances }) =>
        balances.getBalances({}, { headers: { authorization: `Bearer ${token}` } }),
      );
      return currencies.flatMap(({ tokens }) => tokens).find((row) => row.token === 'EURe');
    };
    // Holds that were left to expire do so now.
    await waitFor('holds to expire', async () => ((await read())?.nonSpendable === '0' ? true : undefined), SETTLE_TIMEOUT_MS);
    const row = await read();
    const has = (BigInt(row?.spendable ?? 0) - BigInt(row?.debt ?? 0)).toString();
    if (has !== expected) problems.push(`account ${accountId} has ${has}, callers were told ${expected}`);
  }

  const { ids, problems: found } = await readJournal(cluster.engines.mongodbUri);
  problems.push(...found);
  const there = new Set(ids);
  if (there.size !== ids.length) problems.push(`${ids.length - there.size} entries are there twice`);
  for (const id of told.written) if (!there.has(id)) problems.push(`entry ${id} was acknowledged and is missing`);
  for (const id of told.refused) if (there.has(id)) problems.push(`entry ${id} was refused and is there`);

  const report = await verifyLedger(cluster.engines);
  if (report.bad !== undefined) problems.push(`block ${report.bad.block}: ${report.bad.problem}`);
  for (const [token, sum] of Object.entries(report.sums)) if (sum !== '0') problems.push(`the sum of ${token} is ${sum}`);
  if (report.entries !== ids.length) problems.push(`the audit saw ${report.entries} of ${ids.length} entries`);
  return { problems, entries: ids.length };
};
