import { loadConfig, processEnvironment } from '@florin/kit/config';
import { createLogger } from '@florin/kit/observe';
import { systemRuntime } from '@florin/kit/runtime';
import { openStore, storeShape } from '@florin/kit/store';
import { createAccounts } from '../store/accounts.ts';
import { createBlockStore } from '../store/blocks.ts';
import { createCheckpointStore } from '../store/checkpoints.ts';
import { createEntries } from '../store/entries.ts';
import { createHolds } from '../store/holds.ts';
import { createMovements } from '../store/movements.ts';
import { createPageStore } from '../store/pages.ts';
import { createProjections } from '../store/projections.ts';
import { createScreenings } from '../store/screenings.ts';

const configShape = { ...storeShape, MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_ledger') } as const;

/** The ledger's database without the service. @throws ConfigError */
export const openLedger = async () => {
  const config = loadConfig(configShape, processEnvironment());
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
  const entries = createEntries(connection);
  const holds = createHolds(connection);
  const screenings = createScreenings(connection);
  const blocks = createBlockStore(connection);
  const pages = createPageStore(connection);
  const checkpoints = createCheckpointStore(connection);
  await store.ready();
  const shards: string[] = (await connection.collection('blocks').distinct('shard')) as string[];
  return {
    database: config.MONGODB_DATABASE,
    connection,
    shards: shards.sort((a, b) => Number(a) - Number(b)),
    blocks,
    pages,
    checkpoints,
    projections: createProjections({ accounts, entries, holds, movements, screenings, announce: false }),
    close: store.close,
  };
};

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>;
