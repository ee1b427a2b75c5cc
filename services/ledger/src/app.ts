import { createOutboxRelay, createStreamPublisher } from '@florin/kit/outbox';
import type { App } from '@florin/kit/process';
import { type ServiceOverrides, startService } from '@florin/kit/service';
import type { LedgerConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { startHoldExpiry } from './journal/expire-holds.ts';
import { openJournal } from './journal/journal.ts';
import type { BlockStore, Projections } from './journal/ports.ts';
import { openShards } from './shards/shards.ts';
import { createAccounts } from './store/accounts.ts';
import { createBlockStore } from './store/blocks.ts';
import { createCheckpointStore } from './store/checkpoints.ts';
import { createEntries } from './store/entries.ts';
import { createHolds } from './store/holds.ts';
import { createMovementClaims } from './store/movement-claims.ts';
import { createMovements } from './store/movements.ts';
import { createPageStore } from './store/pages.ts';
import { createProjections } from './store/projections.ts';
import { createReferences } from './store/references.ts';

/** Term of the writer. */
const EPOCH = 1;

export type LedgerOverrides = ServiceOverrides & {
  /** Puts something between the journal and its stores: tests make engines fail there. */
  blocks?: (real: BlockStore) => BlockStore;
  projections?: (real: Projections) => Projections;
};

/** The ledger service: accounts, the journal that holds their money, and what is projected from it. */
export const createApp = (config: LedgerConfig, overrides: LedgerOverrides = {}): Promise<App> =>
  startService('ledger', config, overrides, async ({ logger, runtime, store, redis, defer }) => {
    const { connection } = store;
    const accounts = createAccounts(connection, runtime);
    const movements = createMovements(connection);
    const entries = createEntries(connection);
    const holds = createHolds(connection);
    const claims = createMovementClaims(connection);
    const references = createReferences(connection);
    const pages = createPageStore(connection);
    const checkpoints = createCheckpointStore(connection);
    const storedBlocks = createBlockStore(connection);
    const blocks = overrides.blocks?.(storedBlocks) ?? storedBlocks;
    const audit = createProjections({ accounts, entries, holds, movements, announce: true });
    const projections = overrides.projections?.(audit) ?? audit;
    // Before the first query: loading the journal and projecting it use the indexes.
    await store.ready();

    const shards = await openShards(config.JOURNAL_SHARDS, async (shard) => {
      const journal = await openJournal({
        shard,
        epoch: EPOCH,
        blocks,
        pages,
        checkpoints,
        projections,
        runtime,
        logger,
        maxBlockEntries: config.JOURNAL_BLOCK_ENTRIES,
        maxQueue: config.JOURNAL_QUEUE,
        maxAccounts: config.JOURNAL_ACCOUNTS_IN_MEMORY,
        refreshMs: config.JOURNAL_REFRESH_MS,
        projectionWaitMs: config.JOURNAL_PROJECTION_WAIT_MS,
      });
      const expiry = startHoldExpiry({ shard, journal, expired: holds.expired, runtime, logger });
      return {
        ...journal,
        close: async () => {
          await expiry.close();
          await journal.close();
        },
      };
    });
    defer(shards.close);

    const relay = createOutboxRelay({ model: accounts.model, publish: createStreamPublisher(redis, 'ledger'), logger });
    defer(relay.close);

    return {
      implementations: implementations({
        assets: config.ASSETS,
        accounts,
        references,
        movements,
        claims,
        entries,
        shards,
        blocks,
        pages,
        checkpoints,
        audit,
        runtime,
        relay,
      }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      health: { journal: shards.health },
    };
  });
