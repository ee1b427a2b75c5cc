import { partnersAt, startService } from '@florin/data/service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { findToken, minorUnitOf } from '@florin/rpc/assets';
import { ConfigError } from '@florin/rpc/config';
import type { Amount } from '@florin/rpc/money';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { startAdjustmentSweep } from './adjusting/sweep-adjustments.ts';
import { assertRestored } from './archive/assert-restored.ts';
import type { LedgerConfig } from './config.ts';
import { openHalts } from './halting/halts.ts';
import { bookAdjustment } from './handlers/adjustments.ts';
import { createLimitsOf, uncollectedLimits } from './handlers/collection-limits.ts';
import type { Dependencies } from './handlers/dependencies.ts';
import { implementations } from './handlers/index.ts';
import { headKeys } from './heads/head-keys.ts';
import { startHeads } from './heads/start-heads.ts';
import { startHoldExpiry } from './journal/expire-holds.ts';
import { type Journal, openJournal, standBy } from './journal/journal.ts';
import type { BlockStore, CheckpointStore, PageStore } from './journal/ports.ts';
import { chooseKytScreener } from './ports/choose-kyt-screener.ts';
import type { RunStore } from './runs/run-store.ts';
import { createScreeningByShard } from './screening/screening-by-shard.ts';
import { createInstanceProofs } from './shards/instance-proof.ts';
import { createLeases, type Leases } from './shards/leases.ts';
import { measureBlocks, measureShards } from './shards/measure-shards.ts';
import { createShards } from './shards/shards.ts';
import { type Accounts, createAccounts } from './store/accounts.ts';
import { type AdjustmentStore, createAdjustmentStore } from './store/adjustments.ts';
import { type ApprovalWindowStore, createApprovalWindowStore } from './store/approval-windows.ts';
import { createBlockDocuments } from './store/block-documents.ts';
import { createBlockStore } from './store/blocks.ts';
import { createCheckpointStore } from './store/checkpoints.ts';
import { createRunStore } from './store/entry-runs.ts';
import { createHaltedChainStore } from './store/halted-chains.ts';
import { createHeadStore } from './store/heads.ts';
import { createHolds } from './store/holds.ts';
import { createMovementClaims } from './store/movement-claims.ts';
import { createMovements } from './store/movements.ts';
import { createPageStore } from './store/pages.ts';
import { createProjections, type ProjectionParts } from './store/projections.ts';
import { createRecordStore } from './store/records.ts';
import { createReferences, type References } from './store/references.ts';
import { SCHEMA } from './store/schema.ts';
import { createScreenings } from './store/screenings.ts';
import { createSettings, type Settings } from './store/settings.ts';
import { createSnapshotStore } from './store/snapshots.ts';
import { tellingFailures } from './store/telling-failures.ts';
import { createTokenBlockStore } from './store/token-blocks.ts';

/**
 * Shards of a new database's journal. One: money moves only within a shard, so that with more of them some users could not pay each
 * other, and one writer fills the largest blocks. More are for platforms that several instances must carry.
 */
const DEFAULT_SHARDS = 1;

const IDS_PER_SHARD =
  'JOURNAL_SHARDS: with more than one shard, entry ids are unique within a shard only; set ENTRY_IDS_PER_SHARD=true if no caller uses an id for two accounts';

/** @throws ConfigError when it is not the number that the database was made with, or its consequence was not accepted */
const shardCount = async (
  settings: Settings,
  { JOURNAL_SHARDS: wanted, ENTRY_IDS_PER_SHARD }: Pick<LedgerConfig, 'JOURNAL_SHARDS' | 'ENTRY_IDS_PER_SHARD'>,
): Promise<number> => {
  if ((wanted ?? DEFAULT_SHARDS) > 1 && !ENTRY_IDS_PER_SHARD) throw new ConfigError(IDS_PER_SHARD);
  const count = await settings.journalShards(wanted ?? DEFAULT_SHARDS);
  if (count > 1 && !ENTRY_IDS_PER_SHARD) throw new ConfigError(IDS_PER_SHARD);
  if (wanted !== undefined && wanted !== count) throw new ConfigError(`JOURNAL_SHARDS: this database was made with ${count}`);
  return count;
};

export type LedgerOverrides = ServiceOverrides & {
  /** Puts something between the journal and its stores: tests make engines fail there. */
  blocks?: (real: BlockStore) => BlockStore;
  pages?: (real: PageStore) => PageStore;
  checkpoints?: (real: CheckpointStore) => CheckpointStore;
  runs?: (real: RunStore) => RunStore;
  accounts?: (real: Accounts) => Accounts;
  references?: (real: References) => References;
  adjustments?: (real: AdjustmentStore) => AdjustmentStore;
  approvalWindows?: (real: ApprovalWindowStore) => ApprovalWindowStore;
  projectionParts?: (real: ProjectionParts) => ProjectionParts;
  /** Milliseconds of a clock that is never set: tests move it together with the clock of `runtime`. */
  monotonicMs?: () => number;
  /** Puts something between this instance and the others: tests make two of them own one shard. */
  leases?: (real: Leases) => Leases;
};

const HOUR_MS = 3_600_000;

/** Whole units of a token beyond which an adjustment needs approval in a sandbox where nothing is configured. */
const SANDBOX_APPROVAL_UNITS = 1000n;

const approvalLimits =
  ({ ASSETS, APPROVAL_ABOVE, SANDBOX }: Pick<LedgerConfig, 'ASSETS' | 'APPROVAL_ABOVE' | 'SANDBOX'>) =>
  (symbol: string): Amount =>
    APPROVAL_ABOVE[symbol] ?? (SANDBOX ? SANDBOX_APPROVAL_UNITS : 0n) * 10n ** BigInt(findToken(ASSETS, symbol)?.decimals ?? 0);

const depositMinimums =
  ({ ASSETS, DEPOSIT_MINIMUMS, SANDBOX }: Pick<LedgerConfig, 'ASSETS' | 'DEPOSIT_MINIMUMS' | 'SANDBOX'>) =>
  (symbol: string): Amount =>
    DEPOSIT_MINIMUMS[symbol] ?? (SANDBOX ? 0n : minorUnitOf(ASSETS, symbol));

const SERVICE = { name: 'ledger', schema: SCHEMA } as const;

const NO_PLATFORM_OWNER = 'SAFE_PLATFORM_OWNER: must be set with ACCOUNTS_NEED_SAFE, to the address of the first of CHAIN_COSIGNER_KEYS';

/**
 * The ledger service: accounts, the journal that holds their money, and what is projected from it.
 * @throws ConfigError
 */
export const createApp = async (config: LedgerConfig, overrides: LedgerOverrides = {}): Promise<App> => {
  if (config.ACCOUNTS_NEED_SAFE && config.SAFE_PLATFORM_OWNER === undefined) throw new ConfigError(NO_PLATFORM_OWNER);
  return startService(SERVICE, config, overrides, async (core) => {
    const { logger, runtime, metrics, store, storeFailed, redis, relayEvents, traceStore, connectToInstance, defer } = core;
    const { connection } = store;
    const through = <T>(real: T, put: ((real: T) => T) | undefined): T => put?.(real) ?? real;
    const accounts = through(traceStore('accounts', createAccounts(connection, runtime)), overrides.accounts);
    const movements = traceStore('movements', createMovements(connection));
    const holds = traceStore('holds', createHolds(connection));
    const screenings = traceStore('screenings', createScreenings(connection));
    const claims = traceStore('movement-claims', createMovementClaims(connection));
    const references = through(traceStore('references', createReferences(connection)), overrides.references);
    const storedBlocks = createBlockStore(connection);
    const blocks = tellingFailures(through<BlockStore>(storedBlocks, overrides.blocks), storeFailed);
    const storedPages = createPageStore(connection);
    const pages = through<PageStore>(storedPages, overrides.pages);
    const checkpoints = through(createCheckpointStore(connection), overrides.checkpoints);
    const runs = through(createRunStore(connection), overrides.runs);
    const projections = createProjections({
      ...through({ accounts, holds, movements, screenings }, overrides.projectionParts),
      announce: true,
    });
    const screener = chooseKytScreener(config, defer);
    const minimumOf = depositMinimums(config);
    const screening = createScreeningByShard({
      screener,
      pending: screenings,
      movements,
      findAccount: accounts.find,
      assets: config.ASSETS,
      minimumOf,
      runtime,
      logger,
      intervalMs: config.KYT_SWEEP_MS,
      retryMs: config.KYT_RETRY_MS,
    });
    const adjustments = through(createAdjustmentStore(connection), overrides.adjustments);
    const approvalWindows = through(createApprovalWindowStore(connection), overrides.approvalWindows);
    // Before the first query: loading the journal and projecting it use the indexes.
    await store.ready();

    const halts = await openHalts({
      chains: createHaltedChainStore(connection),
      blocks: createTokenBlockStore(connection),
      assets: config.ASSETS,
      runtime,
      logger,
    });
    defer(halts.close);
    metrics?.gauges(
      'florin_ledger_chain_seconds_left',
      'Seconds for which the tokens of a chain can be spent unless somebody sees the chain; below zero: they cannot',
      ['chain'],
      () => halts.secondsLeft().map(([chainId, seconds]) => [[String(chainId)], seconds] as const),
    );

    const measureBlock = metrics === undefined ? undefined : measureBlocks(metrics);

    const optionsOf = (shard: string) => ({
      shard,
      blocks,
      pages,
      checkpoints,
      projections,
      runs,
      runtime,
      measureBlock,
      ...(overrides.monotonicMs === undefined ? {} : { monotonicMs: overrides.monotonicMs }),
      logger,
      maxBlockEntries: config.JOURNAL_BLOCK_ENTRIES,
      haltedTokens: halts.tokens,
      maxQueue: config.JOURNAL_QUEUE,
      runEntries: config.JOURNAL_RUN_ENTRIES,
      maxAccounts: config.JOURNAL_ACCOUNTS_IN_MEMORY,
      refreshMs: config.JOURNAL_REFRESH_MS,
      projectionWaitMs: config.JOURNAL_PROJECTION_WAIT_MS,
    });
    /** Adds what works on an open journal. */
    const attended = (shard: string, journal: Journal): Journal => {
      const expiry = startHoldExpiry({ shard, journal, expired: holds.expired, forget: holds.forget, runtime, logger });
      const screener = screening.start(shard, journal);
      return {
        ...traceStore('journal', journal),
        close: async () => {
          await screener.close();
          await expiry.close();
          await journal.close();
        },
      };
    };
    const heads = createHeadStore(connection);
    const { signer, trusted } = headKeys(config);
    await assertRestored({
      shards: await createBlockDocuments(connection).shards(),
      blocks: storedBlocks,
      checkpoints,
      pages: storedPages,
      newestHead: async (shard) => (await heads.newest(shard, 1))[0],
      importPending: createRecordStore(connection).importPending,
    });
    const leaseMs = config.LEDGER_LEASE_MS;
    const leases = createLeases(redis, { scope: config.MONGODB_DATABASE, leaseMs });
    const shards = createShards({
      count: await shardCount(createSettings(connection), config),
      instance: runtime.newId(),
      leaseMs,
      connect: connectToInstance,
      proofs: createInstanceProofs({ scope: config.MONGODB_DATABASE, serviceKey: config.SERVICE_KEY, trust: config.SERVICE_TRUST }),
      leases: overrides.leases?.(leases) ?? leases,
      open: async (shard, epoch) => attended(shard, await openJournal({ ...optionsOf(shard), epoch })),
      standBy: (shard) => {
        const standby = standBy(optionsOf(shard));
        return { ...standby, begin: async (epoch) => attended(shard, await standby.begin(epoch)) };
      },
      lastEpoch: async (shard) => Math.max(await storedBlocks.lastEpoch(shard), (await checkpoints.load(shard)).epoch),
      newId: runtime.newId,
      randomInt: runtime.randomInt,
      logger,
    });
    defer(shards.close);
    if (metrics !== undefined) defer(measureShards(metrics, { shards, holds, assets: config.ASSETS, logger }).close);
    const snapshots = createSnapshotStore(connection);
    const headsOf = startHeads({
      config,
      key: signer,
      names: shards.names,
      journals: shards.journals,
      blocks,
      heads,
      snapshots,
      runtime,
      logger,
    });
    defer(headsOf.close);

    const relay = relayEvents(accounts.model);

    const dependencies: Dependencies = {
      minimumOf,
      accountsNeedSafe: config.ACCOUNTS_NEED_SAFE,
      platformOwner: config.SAFE_PLATFORM_OWNER,
      assets: config.ASSETS,
      systemAccounts: config.SYSTEM_ACCOUNTS,
      approval: {
        limitOf: approvalLimits(config),
        windowMs: config.APPROVAL_WINDOW_HOURS * HOUR_MS,
        expiresMs: config.APPROVAL_EXPIRES_HOURS * HOUR_MS,
      },
      approvalWindows,
      adjustments,
      accounts,
      references,
      movements,
      screenings,
      claims,
      shards,
      screener,
      screenSoon: (accountId) => screening.kick(shards.shardOf(accountId)),
      blocks,
      findArchive: snapshots.archive,
      heads,
      snapshots,
      makeSnapshot: headsOf.make,
      headSigner: signer,
      headKeys: trusted,
      limitsOf: createLimitsOf(accounts.find, uncollectedLimits(config.ASSETS, config), runtime.now),
      halts,
      runtime,
      relay,
    };
    const sweep = startAdjustmentSweep({
      journals: shards.journals,
      adjustments,
      book: (journal, adjustment) => bookAdjustment(dependencies, journal, adjustment),
      expiresMs: dependencies.approval.expiresMs,
      intervalMs: config.ADJUSTMENT_SWEEP_MS,
      runtime,
      logger,
    });
    defer(sweep.close);
    return {
      implementations: implementations(dependencies),
      userTokens: { identityUrl: config.IDENTITY_URL },
      partners: partnersAt(core.connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.checkPartners])),
      health: { journal: shards.health },
      // Owners continue without Redis: without a ready instance nobody could reach them.
      needsRedis: false,
      listening: async (url) => {
        // While the server still takes calls: they are forwarded, and none is rejected.
        defer(() => shards.handOver());
        core.connectionLife.draining?.addEventListener('abort', () => void shards.handOver(config.DRAIN_SECONDS * 1000));
        await shards.start(config.ADVERTISE_URL ?? url);
      },
    };
  });
};
