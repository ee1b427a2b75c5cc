import { createOutboxRelay, createStreamPublisher } from '@florin/data/outbox';
import { startService } from '@florin/data/service';
import { nodeUrls } from '@florin/evm/chain';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createAccountsClient } from './clients/accounts.ts';
import { createMovementsClient } from './clients/movements.ts';
import type { ChainConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import type { ChainNode } from './ports/chain-node.ts';
import { createJsonRpcChainNode } from './ports/json-rpc-chain-node.ts';
import { createCursorStore } from './store/cursors.ts';
import { createExceptionStore } from './store/exceptions.ts';
import { createTransferStore } from './store/transfers.ts';
import { measureWatches } from './watching/measure-watches.ts';
import { startWatches, watchedChains } from './watching/start-watches.ts';

/** Parts that a test may replace. */
export type ChainOverrides = ServiceOverrides & { createNode?: (url: string) => ChainNode };

const LEDGER_CALLS = [
  LEDGER_SCOPES.readAccounts,
  LEDGER_SCOPES.writeAccounts,
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.writeWithdrawals,
] as const;

/**
 * Wires the chain service and serves it. Without configured nodes it watches nothing.
 * @throws ConfigError when a chain has too few nodes
 */
export const createApp = async (config: ChainConfig, overrides: ChainOverrides = {}): Promise<App> => {
  const chains = watchedChains({ assets: config.ASSETS, urls: nodeUrls(config), startBlocks: config.CHAIN_START_BLOCKS });

  return startService('chain', config, overrides, async ({ logger, runtime, metrics, store, redis, connectTo, defer }) => {
    const ledger = connectTo('ledger', config.LEDGER_URL, LEDGER_CALLS);
    const [accounts, movements] = [createAccountsClient(ledger), createMovementsClient(ledger)];
    const cursors = createCursorStore(store.connection);
    const transfers = createTransferStore(store.connection);
    const exceptions = createExceptionStore(store.connection, runtime);
    // Before the first event is written.
    await store.ready();

    const publish = createStreamPublisher(redis, 'chain');
    defer(createOutboxRelay({ model: cursors.model, publish, logger }).close);
    defer(createOutboxRelay({ model: exceptions.model, publish, logger }).close);
    const watches = startWatches(chains, {
      createNode: overrides.createNode ?? createJsonRpcChainNode,
      pollMs: config.CHAIN_POLL_MS,
      cursors,
      booking: { accounts, movements, transfers, exceptions, now: runtime.now },
      runtime,
      logger,
    });
    defer(watches.close);
    if (metrics !== undefined) measureWatches(metrics, watches.all);

    return {
      implementations: implementations({ watches: watches.all, exceptions, movements, accounts, runtime }),
      userTokens: { identityUrl: config.IDENTITY_URL },
    };
  });
};
