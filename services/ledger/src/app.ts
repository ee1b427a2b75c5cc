import { createOutboxRelay, createStreamPublisher } from '@florin/kit/outbox';
import type { App } from '@florin/kit/process';
import { type ServiceOverrides, startService } from '@florin/kit/service';
import type { LedgerConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { openJournal } from './journal/journal.ts';
import type { BlockStore, Projections } from './journal/ports.ts';
import { createAccounts } from './store/accounts.ts';
import { createBlockStore } from './store/blocks.ts';
import { createMovements } from './store/movements.ts';
import { createProjections } from './store/projections.ts';
import { createReferences } from './store/references.ts';

/** The one shard there is, and the term of its writer. */
const SHARD = '0';
const EPOCH = 1;

export type LedgerOverrides = ServiceOverrides & {
  /** Puts something between the journal and its stores: tests make engines fail there. */
  blocks?: (real: BlockStore) => BlockStore;
  projections?: (real: Projections) => Projections;
};

/** The ledger service: accounts, the journal that holds their money, and what is projected from it. */
export const createApp = (config: LedgerConfig, overrides: LedgerOverrides = {}): Promise<App> =>
  startService('ledger', config, overrides, async ({ logger, runtime, store, redis, defer }) => {
    const accounts = createAccounts(store.connection, runtime);
    const movements = createMovements(store.connection);
    const blocks = createBlockStore(store.connection);
    const projections = createProjections(store.connection, movements, accounts);
    const references = createReferences(store.connection);
    // Before the first query: loading the journal and projecting it use the indexes.
    await store.ready();

    const journal = await openJournal({
      shard: SHARD,
      epoch: EPOCH,
      blocks: overrides.blocks?.(blocks) ?? blocks,
      projections: overrides.projections?.(projections) ?? projections,
      runtime,
      logger,
      maxBlockEntries: config.JOURNAL_BLOCK_ENTRIES,
      maxQueue: config.JOURNAL_QUEUE,
      refreshMs: config.JOURNAL_REFRESH_MS,
      projectionWaitMs: config.JOURNAL_PROJECTION_WAIT_MS,
    });
    defer(journal.close);

    const relay = createOutboxRelay({ model: accounts.model, publish: createStreamPublisher(redis, 'ledger'), logger });
    defer(relay.close);

    return {
      implementations: implementations({
        assets: config.ASSETS,
        accounts,
        references,
        movements,
        journal,
        blocks,
        projections,
        runtime,
        relay,
      }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      health: { journal: journal.health },
    };
  });
