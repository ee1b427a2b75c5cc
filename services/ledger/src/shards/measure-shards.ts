import { type Assets, findToken } from '@florin/rpc/assets';
import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { Holds } from '../store/holds.ts';
import type { Shards } from './shards.ts';

const COUNT_INTERVAL_MS = 15_000;

const ENTRIES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

/** Declares the metrics of appended blocks. @returns a function that records one */
export const measureBlocks = (metrics: Metrics): ((entries: number, ms: number) => void) => {
  const size = metrics.histogram('florin_journal_block_entries', 'Entries of appended blocks', ENTRIES);
  const duration = metrics.histogram('florin_journal_append_seconds', 'Duration of the writes of blocks', SECONDS);
  return (entries, ms) => {
    size(entries);
    duration(ms / 1000);
  };
};

type Parts = { shards: Shards; holds: Pick<Holds, 'count'>; assets: Assets; logger: Logger };

/**
 * Declares the metrics of the shards: ownership, entries that wait, blocks since the checkpoint, balances of the system accounts in whole units of their tokens, and, at
 * every instance alike, the number of open holds.
 */
export const measureShards = (metrics: Metrics, { shards, holds, assets, logger }: Parts): { close: () => Promise<void> } => {
  metrics.gauge('florin_ledger_shards', 'Shards of the journal', () => shards.names().length);
  metrics.gauge('florin_ledger_shards_owned', 'Shards whose journal is open at this instance', () => shards.journals().length);
  metrics.gauges('florin_journal_waiting_entries', 'Entries that wait for a block', ['shard'], () =>
    shards.journals().map(({ shard, waiting }) => [[shard], waiting()]),
  );
  metrics.gauges('florin_journal_blocks_since_checkpoint', 'Blocks that a start of the shard after a kill replays', ['shard'], () =>
    shards.journals().map(({ shard, sinceCheckpoint }) => [[shard], sinceCheckpoint()]),
  );
  metrics.gauges(
    'florin_ledger_system_balance',
    'Balances of the system accounts, in units of the token',
    ['account', 'token', 'shard'],
    () =>
      shards.journals().flatMap(({ shard, systems }) =>
        [...systems()].map(([place, amount]) => {
          const [account = '', token = ''] = place.split('/');
          return [[account, token, shard], Number(amount) / 10 ** (findToken(assets, token)?.decimals ?? 0)] as const;
        }),
      ),
  );
  let open = 0;
  metrics.gauge('florin_ledger_open_holds', 'Open holds in all shards', () => open);
  const count = async (): Promise<void> => {
    open = await holds.count();
  };
  return startRounds({ round: count, intervalMs: COUNT_INTERVAL_MS, logger, failed: 'counting the open holds failed, will retry' });
};
