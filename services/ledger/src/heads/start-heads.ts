import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { SigningKey } from '@florin/rpc/signing-key';
import type { LedgerConfig } from '../config.ts';
import type { HeadStore } from '../store/heads.ts';
import type { SnapshotStore } from '../store/snapshots.ts';
import { type HeadSigningOptions, startHeadSigning } from './sign-heads.ts';
import { type SnapshotRounds, startSnapshots } from './start-snapshots.ts';

export type StartHeadsOptions = Pick<HeadSigningOptions, 'names' | 'journals' | 'blocks'> & {
  config: LedgerConfig;
  key: SigningKey | undefined;
  heads: HeadStore;
  snapshots: SnapshotStore;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/** Signs heads and makes snapshots of the journals that are open here; neither without a key. */
export const startHeads = ({
  config,
  key,
  names,
  journals,
  blocks,
  heads,
  snapshots,
  runtime,
  logger,
}: StartHeadsOptions): Pick<SnapshotRounds, 'make' | 'close'> => {
  if (key === undefined) {
    logger.warn('LEDGER_HEAD_KEY is not set: no heads of the journal are signed');
    return { make: () => false, close: async () => undefined };
  }
  const signing = startHeadSigning({ key, names, journals, blocks, heads, everyMs: config.LEDGER_HEAD_MS, logger });
  const making = startSnapshots({
    journals,
    blocks,
    snapshots,
    everyMs: config.LEDGER_SNAPSHOT_MS,
    environment: {
      MONGODB_URI: config.MONGODB_URI,
      MONGODB_DATABASE: config.MONGODB_DATABASE,
      MONGODB_POOL_SIZE: '2',
      REDIS_URL: config.REDIS_URL,
      LEDGER_HEAD_KEY: JSON.stringify(config.LEDGER_HEAD_KEY),
    },
    runtime,
    logger,
  });
  return {
    make: making.make,
    close: async () => {
      await making.close();
      await signing.close();
    },
  };
};
