import type { Hex } from '@florin/evm/hex';
import { COLLECTOR, safeTransactionHash } from '@florin/evm/safe';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds } from '@florin/rpc/time';
import type { Address } from 'viem';
import type { AccountsClient } from '../clients/accounts.ts';
import type { CollectionsClient } from '../clients/collections.ts';
import type { LedgerEntriesClient } from '../clients/ledger-entries.ts';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import { createCollecting } from '../collecting/collecting.ts';
import { type CollectionAllowance, collectionAllowances } from '../collecting/collection-allowances.ts';
import { createIsCollected } from '../collecting/is-collected.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';
import { agreeExecution } from '../ports/agree-execution.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { isOfRecovery } from '../recovering/explain-executions.ts';
import { createRecoveries, type Recoveries } from '../recovering/recoveries.ts';
import { createRelayers, type Relayers } from '../relaying/relayers.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { SafeSettings } from '../safe-config.ts';
import type { CursorStore } from '../store/cursors.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { SafeStores } from '../store/safe-stores.ts';
import type { StoredSafe } from '../store/safes.ts';
import type { TransferStore } from '../store/transfers.ts';
import { createWithdrawnMoney } from '../withdrawing/returns.ts';
import { screenWithdrawal } from '../withdrawing/screen-withdrawal.ts';
import { settleTransfer } from '../withdrawing/settle-transfer.ts';
import { createWithdrawals, type Withdrawals } from '../withdrawing/withdrawals.ts';
import { findUnpinned } from './inspect-safe.ts';
import { createKeyOwner, createSafeOwner, type PlatformOwner } from './platform-owners.ts';
import { createSafeInspections, type SafeInspections } from './safe-inspections.ts';
import { createSafeSetUps, type SafeSetUps } from './safe-set-ups.ts';

export type SafesParts = {
  settings: SafeSettings;
  /** Chains with watched tokens, by contract, and their nodes. */
  chains: readonly { chainId: number; urls: readonly string[]; symbols: ReadonlyMap<Hex, string> }[];
  createNode: (url: string) => ExecutionNode;
  stores: SafeStores;
  accounts: Pick<
    AccountsClient,
    | 'confirmSafe'
    | 'revokeSafe'
    | 'exchangeSafeOwner'
    | 'block'
    | 'openedAt'
    | 'isActive'
    | 'isFormer'
    | 'ofUser'
    | 'isProvisioning'
    | 'blockToken'
    | 'unblockToken'
  >;
  ledger: WithdrawalsClient;
  entries: Pick<LedgerEntriesClient, 'totalsAfter'>;
  bookings: CollectionsClient;
  transfers: Pick<TransferStore, 'find'>;
  exceptions: Pick<ExceptionStore, 'find' | 'open' | 'openOfTokens' | 'claimReturn' | 'releaseReturn' | 'endReturned'>;
  cursors: Pick<CursorStore, 'find'>;
  pollMs: number;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Logger;
};

type Round = (closed: () => boolean) => Promise<void>;

type SafeChain = {
  node: ExecutionNode;
  symbols: ReadonlyMap<string, string>;
  owners: readonly PlatformOwner[];
  setUps: SafeSetUps;
  withdrawals: Withdrawals;
  recoveries: Recoveries;
  inspections: SafeInspections;
  relayers: Relayers;
  round: Round;
  /** Beside the other rounds: an inspection takes long, and a withdrawal does not wait for it. */
  inspect: Round;
  /** Likewise. */
  collect: Round;
  isCollected: (transfer: SafeTransfer) => Promise<boolean>;
  failing: () => number;
};

/** Deploys Safes and carries out withdrawals in the background, on each chain for itself. */
export const openSafes = (parts: SafesParts) => {
  const {
    settings,
    chains,
    createNode,
    stores,
    accounts,
    ledger,
    entries,
    bookings,
    transfers,
    exceptions,
    cursors,
    pollMs,
    runtime,
    logger,
  } = parts;
  const {
    relayers: relayerKeys,
    lostRelayers,
    cosigners,
    platformSafes,
    delay,
    recovery,
    termsOn,
    collection,
    collectEveryMs,
    minorUnitOf,
    rules,
    inspectEveryMs,
    inspectWithinMs,
    replaceAfterMs,
    feeLimit,
  } = settings;
  const { collections, jobs, lanes, plans, safes, recoveries: transactions, withdrawals: stored } = stores;

  const money = createWithdrawnMoney({ ledger, bookings, exceptions });
  const keys = new Map(cosigners.map((key) => [key.address, key]));

  const open = ({ chainId, urls, symbols }: SafesParts['chains'][number]): SafeChain => {
    const node = agreeExecution(urls.map(createNode));
    const owners = [
      ...cosigners.map(createKeyOwner),
      ...platformSafes.map((address) => createSafeOwner({ chainId, address, keys, node, now: runtime.now })),
    ];
    const signerOf = async (accountId: string): Promise<PlatformOwner | undefined> => {
      const safe = await safes.find(accountId);
      return safe && owners.find(({ address }) => address === safe.platform);
    };
    const { openedAt, revokeSafe: revoke } = accounts;
    const confirm = async (accountId: string): Promise<void> => {
      const limits = (await safes.find(accountId))?.delay?.terms?.limits ?? [];
      const known = limits.flatMap(({ token, perDay: amount }) => {
        const symbol = symbols.get(token.toLowerCase() as Hex);
        return symbol === undefined ? [] : [{ token: symbol, amount }];
      });
      await accounts.confirmSafe(accountId, known);
    };
    const { now } = runtime;
    const signedWith = async (place: { chainId: number; safe: Address }, nonce: bigint): Promise<Hex | undefined> => {
      const claimedBy = await stored.claimedBy({ ...place, nonce });
      if (claimedBy === undefined) return undefined;
      const signed = (await stored.find(claimedBy)) ?? (await transactions.find(claimedBy));
      return signed && safeTransactionHash(signed.transaction);
    };
    const history = { openedAt, signedWith };
    const inspections = createSafeInspections({
      chainId,
      node,
      symbols,
      delay,
      safes,
      confirm,
      revoke,
      accounts,
      exceptions,
      history,
      recoveriesOf: transactions.ofAccount,
      inspectEveryMs,
      inspectWithinMs,
      logger,
      now,
    });
    const setUps = createSafeSetUps({ chainId, node, delay, safes, jobs, inspections, confirm, revoke, now });
    const cursor = () => cursors.find(chainId);
    const { isActive, isFormer } = accounts;
    const isVerified = async (accountId: string) => (await safes.find(accountId))?.status === 'verified';
    const screening = { ledger, transfers, isVerified, exceptions, freezeFrom: rules.freezeFrom, now };
    const screen = (withdrawal: SafeWithdrawal) => screenWithdrawal(screening, withdrawal);
    const recheck = (accountId: string, block: number) => safes.recheck(accountId, block, now());
    const collectSoon = (accountId: string) => safes.collectSoon(accountId, now());
    const carryingOut = {
      chainId,
      node,
      signerOf,
      isActive,
      isFormer,
      screen,
      withdrawals: stored,
      jobs,
      money,
      recheck,
      collectSoon,
      logger,
    };
    const ownerOf = async (accountId: string) => (await safes.find(accountId))?.owner;
    const withdrawals = createWithdrawals({ ...carryingOut, ownerOf, cursor, safes, rules, runtime });
    const recovering = { chainId, node, signerOf, safes, transactions, jobs, claims: stored, accountOf: accounts.ofUser };
    const recoveries = createRecoveries({ ...recovering, recovery, runtime, logger });
    const relaying = { chainId, node, jobs, lanes, replaceAfterMs, feeLimit, now, logger };
    // The treasury's operator alone may call the Collector.
    const relayers = createRelayers({ ...relaying, signers: relayerKeys, lost: lostRelayers, exclusive: [COLLECTOR.address] });
    let checked = false;
    /** Nothing is sent before the nodes are known to serve this chain, with the contracts that every Safe relies on. */
    const check = async (): Promise<void> => {
      if (checked) return;
      const actual = await node.chainId();
      if (actual !== chainId) throw new Error(`a node configured for chain ${chainId} serves chain ${actual}`);
      const unpinned = await findUnpinned(node, delay, await node.finalizedNumber());
      if (unpinned.length > 0) throw new Error(`contracts on chain ${chainId} do not have the pinned code: ${unpinned.join(', ')}`);
      checked = true;
    };
    const round = async (closed: () => boolean): Promise<void> => {
      await check();
      await workOnEach([setUps.round, withdrawals.round, recoveries.round, relayers.round], closed, (work) => work(closed));
    };
    const inspect = async (closed: () => boolean): Promise<void> => {
      await check();
      await inspections.round(closed);
    };
    const collecting = createCollecting({
      chainId,
      node,
      safes,
      collections,
      jobs,
      entries,
      ledger: bookings,
      cursor,
      symbols,
      operator: relayerKeys[0].address,
      everyMs: collectEveryMs,
      above: collection?.above,
      minorUnitOf,
      runtime,
    });
    const collect = async (closed: () => boolean): Promise<void> => {
      await check();
      await collecting.round(closed);
    };
    return {
      node,
      symbols,
      owners,
      setUps,
      withdrawals,
      recoveries,
      relayers,
      inspections,
      round,
      inspect,
      collect,
      isCollected: createIsCollected(node),
      failing: collecting.failing,
    };
  };
  const byChain = new Map(chains.map((chain) => [chain.chainId, open(chain)]));

  /** Returns true if the other side of a transfer is the treasury of the Safe. */
  const isTreasurys = async ({ accountId, counterparty }: Pick<SafeTransfer, 'accountId' | 'counterparty'>): Promise<boolean> => {
    const treasuries = [collection?.treasury, (await safes.find(accountId))?.delay?.terms?.treasury];
    return treasuries.some((one) => one?.toLowerCase() === counterparty);
  };

  /** Returns true if a transfer collects from a Safe, or is from its treasury. @throws Error when a node fails */
  const isMovement = async (transfer: SafeTransfer): Promise<boolean> => {
    const chain = byChain.get(transfer.chainId);
    if (chain === undefined || !(await isTreasurys(transfer))) return false;
    return transfer.direction === 'in' || chain.isCollected(transfer);
  };

  return {
    platforms: [...cosigners.map(({ address }) => address), ...platformSafes],
    ownersOn: (chainId: number) => byChain.get(chainId)?.owners ?? [],
    platform: cosigners[0].address,
    delay,
    termsOn,
    plans,
    relayers: relayerKeys.map(({ address }) => address),
    setUps: new Map([...byChain].map(([chainId, { setUps }]) => [chainId, setUps])),
    withdrawals: new Map([...byChain].map(([chainId, { withdrawals }]) => [chainId, withdrawals])),
    recoveries: new Map([...byChain].map(([chainId, { recoveries }]) => [chainId, recoveries])),
    /** Returns the amounts that may be collected from a Safe today. @throws Error when a node fails, or two disagree */
    allowancesOf: async ({ chainId, safe, delay: settings }: StoredSafe): Promise<CollectionAllowance[]> => {
      const chain = byChain.get(chainId);
      const terms = settings?.terms;
      return chain === undefined || terms === undefined ? [] : collectionAllowances(chain.node, { safe, terms }, chain.symbols);
    },
    /** True if a relayer sent a transaction. */
    isOwn: jobs.isSent,
    /** True if all that the Safe of an account has executed in a block was signed for a recovery. @throws Error when a node fails, or the block was replaced */
    isOfRecovery: async (accountId: string, block: { number: number; hash: Hex }): Promise<boolean> => {
      const safe = await safes.find(accountId);
      if (safe === undefined) return false;
      const chain = byChain.get(safe.chainId);
      return chain !== undefined && isOfRecovery({ node: chain.node, transactions }, safe, block);
    },
    isTreasurys,
    isMovement,
    /** Treasuries that collect on a chain, or did from Safes that are still known (EIP-55). */
    treasuriesOn: async (chainId: number): Promise<Address[]> => [
      ...new Set([...(collection === undefined ? [] : [collection.treasury]), ...(await safes.treasuries(chainId))]),
    ],
    /** Completes the withdrawal that a final transfer carries out, or books what moved between a Safe and the treasury. @returns false when it is neither */
    settle: async (transfer: SafeTransfer): Promise<boolean> => {
      const chain = byChain.get(transfer.chainId);
      if (chain === undefined) return false;
      if (transfer.direction === 'out' && (await settleTransfer({ node: chain.node, withdrawals: stored, money }, transfer))) return true;
      if (!(await isMovement(transfer))) return false;
      await bookings.book(transfer);
      return true;
    },
    /** Returns true if the platform signed what a transfer out of a Safe carries out. */
    isSigned: async (transfer: SafeTransfer): Promise<boolean> =>
      (await stored.matching(transfer)).some(({ status }) => status === 'signed' || status === 'completed'),
    /** Returns the balance of each relayer on each chain, in whole coins. */
    relayerBalances: () =>
      [...byChain].flatMap(([chainId, { relayers }]) => [...relayers.balances()].map(([relayer, coins]) => ({ chainId, relayer, coins }))),
    /** Returns the number of jobs that only relayers have signed that are not configured any more. */
    jobsLeft: (): number => [...byChain.values()].reduce((sum, { relayers }) => sum + relayers.left(), 0),
    /** Returns true if an account's owner has signed the set-up of its Safe. */
    isKept: async (accountId: string): Promise<boolean> => (await safes.find(accountId)) !== undefined,
    /** Has a Safe inspected whose token its issuer has frozen or freed in a block. @returns false when there is no Safe of that account */
    markFrozen: (accountId: string, contract: Hex, block: number): Promise<boolean> =>
      safes.markFrozen(accountId, contract, block, runtime.now()),
    /** Has the history of all Safes on a chain read again from a block on. */
    rereadFrom: safes.rereadFrom,
    /** Stops the spending of an account whose Safe may not be what it needs any more, until the Safe was inspected after a block. */
    suspect: async (accountId: string, block: number): Promise<void> => {
      await ((await safes.recheck(accountId, block, runtime.now())) ? accounts.revokeSafe(accountId) : accounts.block(accountId));
    },
    /** @throws Error when Safes are not inspected before a request to leave can be executed */
    assertInTime: async (): Promise<void> => {
      for (const [chainId, { inspections }] of byChain)
        if (await inspections.areLate()) throw new Error(`Safes on chain ${chainId} wait for inspection`);
    },
    /** Signed withdrawals that no transaction carries out. */
    stuckWithdrawals: (): number => [...byChain.values()].reduce((sum, { withdrawals }) => sum + withdrawals.stuck(), 0),
    /** Signed steps of recoveries that no transaction carries out. */
    stuckRecoveries: (): number => [...byChain.values()].reduce((sum, { recoveries }) => sum + recoveries.stuck(), 0),
    /** Movements between Safes and the treasury that the Collector could not make, or would not take. */
    failingMovements: (): number => [...byChain.values()].reduce((sum, { failing }) => sum + failing(), 0),
    /** Begins the work. @returns what ends it */
    start: () => {
      const rounds = [...byChain.values()].flatMap(({ round, inspect, collect }) => [
        startRounds({ round: collect, intervalMs: pollMs, logger, failed: 'collecting what cards have spent failed, will retry' }),
        startRounds({ round, intervalMs: pollMs, logger, failed: 'moving Safes and withdrawals on failed, will retry' }),
        startRounds({ round: inspect, intervalMs: pollMs, logger, failed: 'inspecting Safes failed, will retry' }),
      ]);
      return async () => {
        await Promise.all(rounds.map(({ close }) => close()));
      };
    },
  };
};
