import { startService, traceStores } from '@florin/data/service';
import { nodeUrls } from '@florin/evm/chain';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { pause, startRounds } from '@florin/rpc/time';
import { openSafes } from './accounts/open-safes.ts';
import { createSafeKeeper } from './accounts/safe-keeper.ts';
import { createBlindTime } from './alarming/blind-time.ts';
import { raiseLeaving } from './alarming/raise-leaving.ts';
import { startAlarms } from './alarming/start-alarms.ts';
import { createArrivingWatch } from './arriving/arriving-watch.ts';
import { createAccountsClient } from './clients/accounts.ts';
import { createCollectionsClient } from './clients/collections.ts';
import { createLedgerEntriesClient } from './clients/ledger-entries.ts';
import { createMovementsClient } from './clients/movements.ts';
import { createReservesClient } from './clients/reserves.ts';
import { createSettlementClient } from './clients/settlement.ts';
import { createWithdrawalsClient } from './clients/withdrawals.ts';
import { createCollectionReports } from './collecting/report-collections.ts';
import type { ChainConfig } from './config.ts';
import type { SafeTransfer } from './domain/transfer.ts';
import { implementations } from './handlers/index.ts';
import type { ChainNode } from './ports/chain-node.ts';
import type { ExecutionNode } from './ports/execution-node.ts';
import { createJsonRpcChainNode } from './ports/json-rpc-chain-node.ts';
import { createJsonRpcExecutionNode } from './ports/json-rpc-execution-node.ts';
import { measureReconciling } from './reconciling/measure-reconciling.ts';
import { createReconciler } from './reconciling/reconcile-accounts.ts';
import { startReconciling } from './reconciling/start-reconciling.ts';
import { startReserves } from './reserves/start-reserves.ts';
import { safeSettings } from './safe-config.ts';
import { createAlarmCursorStore } from './store/alarm-cursors.ts';
import { createCollectionReportStore } from './store/collection-reports.ts';
import { createCursorStore } from './store/cursors.ts';
import { createDifferenceStore } from './store/differences.ts';
import { createExceptionStore } from './store/exceptions.ts';
import { createReservesStore } from './store/reserves.ts';
import { createSafeStores } from './store/safe-stores.ts';
import { SCHEMA } from './store/schema.ts';
import { createTransferStore } from './store/transfers.ts';
import { measureWatches } from './watching/measure-watches.ts';
import { serveChains, startWatches, watchedChains } from './watching/start-watches.ts';

/** Parts that a test may replace. */
export type ChainOverrides = ServiceOverrides & {
  createNode?: (url: string) => ChainNode;
  createExecutionNode?: (url: string) => ExecutionNode;
};

/** Without keys of the platform, no transaction is one of its own. */
const isNever = async (): Promise<boolean> => false;

const SERVICE = { name: 'chain', schema: SCHEMA } as const;

const LEDGER_CALLS = [
  LEDGER_SCOPES.readAccounts,
  LEDGER_SCOPES.writeAccounts,
  LEDGER_SCOPES.confirmSafes,
  LEDGER_SCOPES.readEntries,
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.reverseDeposits,
  LEDGER_SCOPES.writeWithdrawals,
  LEDGER_SCOPES.signReserves,
  LEDGER_SCOPES.haltChains,
  LEDGER_SCOPES.readBalances,
  LEDGER_SCOPES.writeEntries,
  LEDGER_SCOPES.systemEntries,
] as const;

/**
 * Wires the chain service and serves it. Without configured nodes it watches nothing.
 * @throws ConfigError when a chain has too few nodes
 */
export const createApp = async (config: ChainConfig, overrides: ChainOverrides = {}): Promise<App> => {
  const chains = watchedChains({ assets: config.ASSETS, urls: nodeUrls(config), startBlocks: config.CHAIN_START_BLOCKS });

  const settings = safeSettings(config);

  return startService(SERVICE, config, overrides, async (core) => {
    const { logger, runtime, metrics, store, relayEvents, connectTo, traceStore, warnWith, defer } = core;
    const ledger = connectTo('ledger', config.LEDGER_URL, LEDGER_CALLS);
    const [accounts, movements] = [createAccountsClient(ledger), createMovementsClient(ledger)];
    const cursors = traceStore('cursors', createCursorStore(store.connection));
    const transfers = traceStore('transfers', createTransferStore(store.connection));
    const exceptions = traceStore('exceptions', createExceptionStore(store.connection, runtime));
    const differences = traceStore('differences', createDifferenceStore(store.connection, runtime));
    const reserves = traceStore('reserves', createReservesStore(store.connection));
    const safeStores = settings && traceStores(traceStore, createSafeStores(store.connection));
    // Before the first event is written.
    await store.ready();

    relayEvents(cursors.model);
    relayEvents(exceptions.model);
    relayEvents(differences.model);
    if (safeStores !== undefined) {
      relayEvents(safeStores.withdrawals.model);
      relayEvents(safeStores.recoveries.model);
    }
    const entries = createLedgerEntriesClient(ledger);
    const safes =
      settings === undefined || safeStores === undefined
        ? undefined
        : openSafes({
            settings,
            chains,
            createNode: overrides.createExecutionNode ?? createJsonRpcExecutionNode,
            stores: safeStores,
            accounts,
            ledger: createWithdrawalsClient(ledger),
            entries,
            bookings: createCollectionsClient(ledger),
            transfers,
            exceptions,
            cursors,
            pollMs: config.CHAIN_POLL_MS,
            runtime,
            logger,
          });
    if (safes !== undefined) {
      logger.info(
        { relayers: safes.relayers, platforms: safes.platforms },
        'Safes are deployed and withdrawals carried out with these keys',
      );
      defer(safes.start());
      const balances = () => safes.relayerBalances().map(({ relayer, chainId, coins }) => [[relayer, String(chainId)], coins] as const);
      metrics?.gauges(
        'florin_chain_relayer_balance',
        "Balance of a relayer, in whole units of the chain's coin",
        ['relayer', 'chain'],
        balances,
      );
      metrics?.gauge('florin_chain_relayer_jobs_left', 'Jobs that only relayers which are not configured have signed', safes.jobsLeft);
      metrics?.gauge('florin_chain_withdrawals_stuck', 'Signed withdrawals that no transaction carries out', safes.stuckWithdrawals);
      metrics?.gauge('florin_chain_recoveries_stuck', 'Signed steps of recoveries that no transaction carries out', safes.stuckRecoveries);
      metrics?.gauge(
        'florin_chain_movements_failing',
        'Accounts and tokens whose last movement between Safe and treasury failed, or cannot be sent, or funded',
        safes.failingMovements,
      );
    }
    const served = serveChains(chains, overrides.createNode ?? createJsonRpcChainNode);
    if (safes !== undefined && config.SETTLEMENT_URL !== undefined) {
      const books = connectTo('settlement', config.SETTLEMENT_URL, [SETTLEMENT_SCOPES.writeRecords, SETTLEMENT_SCOPES.writeCollections]);
      const settlement = createSettlementClient(books, config.SERVICE_KEY.kid);
      const reports = traceStore('collection_reports', createCollectionReportStore(store.connection));
      const reporting = { cursors, transfers, reports, settlement, isMovement: safes.isMovement, assets: config.ASSETS, logger };
      for (const { chainId, node } of served) {
        const { round } = createCollectionReports({ chainId, node, ...reporting });
        const failed = 'reporting what was collected failed, will retry';
        defer(startRounds({ round, intervalMs: config.CHAIN_POLL_MS, logger, failed }).close);
      }
    }
    const alarmCursors = createAlarmCursorStore(store.connection);
    const limitMs = (config.SAFE_DELAY_COOLDOWN_SECONDS * 1000) / 4;
    const renew = createBlindTime({ alarms: alarmCursors, spending: accounts, limitMs, now: runtime.now });
    const watches = startWatches(served, {
      pollMs: config.CHAIN_POLL_MS,
      cursors,
      booking: { accounts, movements, transfers, exceptions, settle: safes?.settle ?? isNever, now: runtime.now },
      spending: accounts,
      runtime,
      logger,
    });
    defer(watches.close);
    for (const { chainId } of served) {
      const failed = 'bounding the blind time of a chain failed, will retry';
      const round = () => renew(chainId);
      defer(startRounds({ round, intervalMs: config.CHAIN_POLL_MS, logger, failed }).close);
    }
    const alone = served.filter(({ urls }) => urls.length === 1).map(({ chainId }) => `chain ${chainId}: one node is believed alone`);
    warnWith(() => alone);
    const alarmParts = {
      isOwn: safes?.isOwn ?? isNever,
      isOfRecovery: safes?.isOfRecovery ?? isNever,
      isKept: safes?.isKept ?? isNever,
      markFrozen: safes?.markFrozen ?? isNever,
      suspect: safes?.suspect ?? accounts.block,
      rereadFrom: safes?.rereadFrom ?? (async () => undefined),
      accounts,
      exceptions,
      cursors: alarmCursors,
      pollMs: config.CHAIN_POLL_MS,
      now: runtime.now,
      logger,
    };
    const alarms = startAlarms(served, alarmParts);
    defer(alarms.close);
    metrics?.gauge('florin_chain_safe_changes_open', 'Open exceptions about changes of who controls a Safe', alarms.openChanges);
    const isTreasurys = safes?.isTreasurys ?? isNever;
    const leaving = { ...alarmParts, isMovement: safes?.isMovement ?? isNever, isSigned: safes?.isSigned ?? isNever };
    const onLeaving = (transfer: SafeTransfer) => raiseLeaving(leaving, transfer);
    const arriving = served.map((chain) => createArrivingWatch({ ...chain, accounts, cursors, isTreasurys, onLeaving }));
    for (const { round } of arriving) {
      const failed = 'looking at new blocks failed, will retry';
      defer(startRounds({ round, intervalMs: config.CHAIN_POLL_MS, logger, failed }).close);
    }
    const wait = () => pause(config.CHAIN_POLL_MS);
    // A client of its own: reconciliation is not to be served from the sums that collecting keeps.
    const all = createLedgerEntriesClient(ledger);
    const reconcilers = served.map((chain) => createReconciler({ ...chain, cursors, entries: all, transfers, exceptions, wait }));
    if (metrics !== undefined) measureWatches(metrics, watches.all);
    if (config.RECONCILE_ACCOUNTS_PER_SECOND > 0 && reconcilers.length > 0) {
      const accountsPerSecond = config.RECONCILE_ACCOUNTS_PER_SECOND;
      const reconciling = startReconciling({ reconcilers, accounts, differences, accountsPerSecond, runtime, logger });
      defer(reconciling.close);
      if (metrics !== undefined) measureReconciling(metrics, reconciling);
    }

    if (config.RESERVES_INTERVAL_SECONDS > 0) {
      const [platforms, treasuriesOn] = safes === undefined ? [[], async () => []] : [safes.platforms, safes.treasuriesOn];
      const parts = { accounts, ledger: createReservesClient(ledger), store: reserves, runtime, wait, platforms, treasuriesOn };
      const makers = served.flatMap((chain, index) => {
        const watch = watches.all[index];
        return watch === undefined ? [] : [{ ...chain, ...parts, watch }];
      });
      const intervalMs = config.RESERVES_INTERVAL_SECONDS * 1000;
      defer(startReserves({ makers, store: reserves, intervalMs, now: runtime.now, logger }).close);
    }

    return {
      implementations: implementations({
        watches: watches.all,
        exceptions,
        movements,
        accounts,
        arriving,
        entries,
        reconcilers,
        isTreasurys,
        keeper: safes === undefined ? undefined : createSafeKeeper(safes),
        assets: config.ASSETS,
        chains: served,
        cursors,
        transfers,
        reserves,
        runtime,
      }),
      ...(safes === undefined ? {} : { health: { inspections: safes.assertInTime } }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      // Only events wait for Redis.
      needsRedis: false,
    };
  });
};
