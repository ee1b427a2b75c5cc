import { waitFor } from '@florin/rpc/testing';
import { testPort } from '@florin/rpc/testing/test-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestLedger } from '../testing/world.ts';

let cluster: Awaited<ReturnType<typeof startCluster>>;
let ledger: TestLedger;
let port: number;
beforeAll(async () => {
  port = await testPort();
  cluster = await startCluster(2, { ENTRY_IDS_PER_SHARD: 'true', METRICS_PORT: String(port) });
  ledger = await cluster.start();
  await cluster.settled({ [ledger.url]: 2 });
});
afterAll(() => cluster?.close());

/** The samples of a metric, added up. */
const sumOf = async (name: string, labels = ''): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return samples.filter((line) => line.includes(labels)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};
const becomes = (value: number, name: string, labels?: string) =>
  waitFor(`${name} to be ${value}`, async () => ((await sumOf(name, labels)) === value ? true : undefined));

describe('the metrics of a ledger', () => {
  it('show its shards, its blocks, and the money that came in', async () => {
    await becomes(2, 'florin_ledger_shards');
    await becomes(2, 'florin_ledger_shards_owned');
    await becomes(0, 'florin_journal_waiting_entries');
    const entries = await sumOf('florin_journal_block_entries_sum');
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '1500000000000000000');
    expect(await sumOf('florin_journal_block_entries_sum')).toBeGreaterThan(entries);
    expect(await sumOf('florin_journal_append_seconds_count')).toBe(await sumOf('florin_journal_block_entries_count'));
    await becomes(-1.5, 'florin_ledger_system_balance', 'account="chain",token="EURe"');
  });

  it('show the blocks since the checkpoint until it is stored anew', async () => {
    await waitFor('blocks', async () => {
      await ledger.open();
      return (await sumOf('florin_journal_blocks_since_checkpoint')) > 0 ? true : undefined;
    });
    await becomes(0, 'florin_journal_blocks_since_checkpoint');
  });
});
