import { openRedis } from '@florin/data/redis';
import { openStore, storeShape } from '@florin/data/store';
import { type Environment, loadConfig, serviceShape } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { systemRuntime } from '@florin/rpc/runtime';
import type { Source } from '../audit/source.ts';
import { headShape, runShape } from '../config.ts';
import { headKeys } from '../heads/head-keys.ts';
import { createLeases } from '../shards/leases.ts';
import { createAccounts } from '../store/accounts.ts';
import { createBlockDocuments } from '../store/block-documents.ts';
import { createBlockStore } from '../store/blocks.ts';
import { createCheckpointStore } from '../store/checkpoints.ts';
import { createRunStore } from '../store/entry-runs.ts';
import { createHeadStore } from '../store/heads.ts';
import { createHolds } from '../store/holds.ts';
import { createMovements } from '../store/movements.ts';
import { createPageStore } from '../store/pages.ts';
import { createProjections } from '../store/projections.ts';
import { createRecordStore } from '../store/records.ts';
import { createScreenings } from '../store/screenings.ts';
import { createSnapshotStore } from '../store/snapshots.ts';
import { whileHolding } from './hold-shards.ts';
import type { ProgressStream } from './progress-bar.ts';

const configShape = {
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_ledger'),
  REDIS_URL: serviceShape.REDIS_URL,
  REDIS_CA: serviceShape.REDIS_CA,
  ...headShape,
  ...runShape,
} as const;

/** Long enough for a slow engine, short enough to wait for after a kill. */
const LEASE_MS = 15_000;

/** The ledger's stores without the service. @param terminal shows the progress of commands @throws ConfigError */
export const openLedger = async (environment: Environment, terminal: ProgressStream) => {
  const config = loadConfig(configShape, environment);
  const logger = createLogger('ledger-cli', 'silent');
  const store = await openStore({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    logger,
  });
  const { connection } = store;
  const accounts = createAccounts(connection, systemRuntime);
  const movements = createMovements(connection);
  const runs = createRunStore(connection);
  const holds = createHolds(connection);
  const screenings = createScreenings(connection);
  const blocks = createBlockStore(connection);
  const pages = createPageStore(connection);
  const checkpoints = createCheckpointStore(connection);
  const heads = createHeadStore(connection);
  const snapshots = createSnapshotStore(connection);
  await store.ready();
  const documents = createBlockDocuments(connection);
  return {
    terminal,
    connection,
    /** The database for the audit, past all stores. */
    source: connection as unknown as Source,
    shards: await documents.shards(),
    blocks,
    documents,
    pages,
    checkpoints,
    runs,
    runEntries: config.JOURNAL_RUN_ENTRIES,
    heads,
    snapshots,
    records: createRecordStore(connection),
    projections: createProjections({ accounts, holds, movements, screenings, announce: false }),
    ...headKeys(config),
    /** Does work while no ledger can own these shards. @throws Error */
    alone: async <T>(shards: readonly string[], work: () => Promise<T>): Promise<T> => {
      const redis = await openRedis(config, logger);
      try {
        return await whileHolding(createLeases(redis, { scope: config.MONGODB_DATABASE, leaseMs: LEASE_MS }), LEASE_MS, shards, work);
      } finally {
        redis.destroy();
      }
    },
    close: store.close,
  };
};

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>;
