import { COLLECTOR, COLLECTOR_ABI, type CollectionTerms, encodeMovements, MOVEMENT_GAS, type Movement } from '@florin/evm/safe';
import { createCoalescedReads } from '@florin/rpc/coalesce';
import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import { type Address, erc20Abi } from 'viem';
import type { CollectionsClient } from '../clients/collections.ts';
import type { EntryTotals, LedgerEntriesClient } from '../clients/ledger-entries.ts';
import type { KnownSums } from '../domain/entry-sums.ts';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { CollectionStore, PlannedMovement } from '../store/collections.ts';
import type { Cursor } from '../store/cursors.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeStore, StoredSafe } from '../store/safes.ts';
import { DAY_SECONDS, leftOn, readAllowance } from './collection-allowances.ts';

/** Movements of one transaction. */
const BATCH = 24;

/** Safes that are looked at in one round, and at the same time: what they need of nodes, ledger and database is read together. */
const SAFES = 384;
const AT_ONCE = 96;

/** Pause before a Safe is looked at again when looking failed, so that it does not keep others waiting. */
const RETRY_MS = 60_000;

/** Gas of a batch beside its movements. */
const BATCH_GAS = 100_000n;

const DAY_MS = 86_400_000;

export type CollectingParts = {
  chainId: number;
  node: Pick<ExecutionNode, 'call' | 'codeAt' | 'newestNumber' | 'blockTime'>;
  safes: Pick<SafeStore, 'dueForCollection' | 'keepSums' | 'collected'>;
  collections: CollectionStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  entries: Pick<LedgerEntriesClient, 'totalsAfter'>;
  ledger: Pick<CollectionsClient, 'net'>;
  /** Block up to which the watcher has booked all transfers. */
  cursor: () => Promise<Cursor | undefined>;
  /** Symbols of the watched tokens by contract, in lower case. */
  symbols: ReadonlyMap<string, string>;
  /** The relayer. */
  operator: Address;
  /** How long after a Safe was looked at it is looked at again. */
  everyMs: number;
  /** Least amount that is collected before a day has passed since the last movement, by symbol; of others nothing is. Undefined: nothing is collected, whatever Safes allow. */
  above: ReadonlyMap<string, Amount> | undefined;
  /** One minor unit of a token's currency in the token's smallest unit. */
  minorUnitOf: (symbol: string) => Amount;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

type Planned = Movement & { accountId: string; symbol: string; treasury: Address };

const NO_ENTRIES: EntryTotals = {
  ...{ booked: 0n, elsewhere: 0n, refused: 0n, nettings: 0, netted: 0n },
  ...{ settling: 0n, held: 0n, incoming: 0n },
};

const least = (...amounts: readonly Amount[]): Amount => amounts.reduce((a, b) => (b < a ? b : a));

/** Books in minor units of the currency have no parts of them: these stay where they are. */
const whole = (amount: Amount, minorUnit: Amount): Amount => amount - (amount % minorUnit);

/**
 * Moves card spending from Safes to the treasury, and refunds back, netted for each account and token. Tokens that cannot be collected are netted all the same, because the
 * ledger limits uncollected spending.
 */
export const createCollecting = (parts: CollectingParts) => {
  const { chainId, node, safes, collections, jobs, entries, ledger, cursor, symbols, operator, everyMs, above, minorUnitOf, runtime } =
    parts;

  const view = (functionName: 'collected' | 'isOperator', args: readonly Address[], block: number) =>
    viewsOf(node, COLLECTOR.address, COLLECTOR_ABI, block)(functionName, args);
  const tokenView = async (token: Address, functionName: 'balanceOf' | 'allowance', args: readonly Address[], block: number) =>
    (await viewsOf(node, token, erc20Abi, block)(functionName, args)) as bigint;

  /** The newest block and its day, as of a moment after the call. */
  const newestOf = createCoalescedReads<{ newest: number; today: bigint }>({
    maxItems: 1,
    maxCalls: 1,
    load: async ([id = '']) => {
      const newest = await node.newestNumber();
      return new Map([[id, { newest, today: BigInt(Math.floor((await node.blockTime(newest)).getTime() / 1000)) / DAY_SECONDS }]]);
    },
  });
  const readNewest = async () => (await newestOf('newest')) ?? Promise.reject(new Error('the nodes have no newest block'));

  /**
   * The operator's money in the Safe, or of the user with the operator (below zero), once what can be netted is netted, and what is in the Safe and must stay there.
   * @param isLeaving what is held is collected as well: it is returned when the owner stays, or the hold lapses
   */
  const netted = async (
    account: { accountId: string; token: string },
    { elsewhere, refused, nettings, settling, held, incoming }: EntryTotals,
    isLeaving: boolean,
  ): Promise<{ amount: Amount; kept: Amount }> => {
    const kept = incoming + refused;
    const owed = elsewhere - refused + (isLeaving ? held : 0n);
    const toNet = owed < 0n ? -least(-owed, settling) : owed;
    // Otherwise another process has netted, or spending was taken back: the next round knows more.
    const isNetted = toNet === 0n || (await ledger.net(account, toNet, nettings));
    return { amount: isNetted ? settling + owed : 0n, kept };
  };

  /** Pays refunds out of what was spent and stays in the Safe. Only refunds that are paid back count as spent again. */
  const netRefunds = async (account: { accountId: string; token: string }, sums: EntryTotals): Promise<void> => {
    const { elsewhere, refused, nettings, netted: paid, settling } = sums;
    const owed = elsewhere - refused;
    const toNet = owed < 0n ? -least(-owed, settling) : least(owed, paid > 0n ? paid : 0n);
    if (toNet !== 0n) await ledger.net(account, toNet, nettings);
  };

  /** Of a movement that is under way nothing is known before its block is booked. Undefined: it was never sent. */
  const stateOf = async ({ jobId }: PlannedMovement, bookedTo: number): Promise<'under way' | 'ended' | undefined> => {
    const job = await jobs.find(jobId);
    if (job === undefined) return undefined;
    return job.outcome === undefined || job.outcome.blockNumber > bookedTo ? 'under way' : 'ended';
  };

  /** Movements that no Collector is there for, that it would not take, or that the treasury cannot fund, by account and token. */
  const unsent = new Set<string>();

  /**
   * The movement that an account needs. Its nonce is read as of the block up to which transfers were booked before the entries were added up: a movement that has happened
   * is among these, or has used up the nonce.
   */
  const plan = async (
    { accountId, safe, status, recheckBlock }: StoredSafe,
    { treasury }: CollectionTerms,
    token: Address,
    totals: ReadonlyMap<string, EntryTotals>,
    bookedTo: number,
  ): Promise<Planned | undefined> => {
    const symbol = symbols.get(token.toLowerCase());
    if (symbol === undefined) return undefined;
    const last = await collections.find({ accountId, token: symbol });
    const state = last && (await stateOf(last, bookedTo));
    if (state === 'under way') return undefined;
    const { nonce } = await readAllowance(node, { safe, treasury, token }, bookedTo);
    // Spending of an owner who leaves is collected before the money is gone.
    const isLeaving = status === 'deviating' || recheckBlock !== undefined;
    const { amount, kept } = await netted({ accountId, token: symbol }, totals.get(symbol) ?? NO_ENTRIES, isLeaving);
    // A movement that is over has used its number up, unless the Collector could not make it.
    const hasFailed = state === 'ended' && last?.nonce === nonce && amount !== 0n;
    if (last !== undefined && hasFailed !== (last.failing ?? false)) await collections.end({ accountId, token: symbol }, hasFailed);
    const movement = { account: safe, token, nonce, accountId, symbol, treasury };
    const { newest, today } = await readNewest();
    if (amount < 0n) {
      const [collected, approved, held] = await Promise.all([
        view('collected', [safe, treasury, token], newest) as Promise<bigint>,
        tokenView(token, 'allowance', [treasury, COLLECTOR.address], newest),
        tokenView(token, 'balanceOf', [treasury], newest),
      ]);
      const back = whole(least(-amount, collected, approved, held), minorUnitOf(symbol));
      if (back < whole(-amount, minorUnitOf(symbol))) unsent.add(`${accountId}/${symbol}`);
      return back > 0n ? { ...movement, amount: back, back: true } : undefined;
    }
    const isDue = isLeaving || last === undefined || state === undefined || last.plannedAt.getTime() + DAY_MS <= runtime.now().getTime();
    const enough = above?.get(symbol);
    if (!isDue && (hasFailed || enough === undefined || amount < enough)) return undefined;
    const [allowance, approved, ...balances] = await Promise.all([
      readAllowance(node, { safe, treasury, token }, newest),
      tokenView(token, 'allowance', [safe, COLLECTOR.address], newest),
      ...[bookedTo, newest].map((block) => tokenView(token, 'balanceOf', [safe], block)),
    ]);
    // Deposits that are not booked or screened, or were rejected, never get to the treasury.
    const movable = balances.map((balance) => balance - kept);
    const take = whole(least(amount, leftOn(allowance, today), approved, ...movable), minorUnitOf(symbol));
    return take > 0n ? { ...movement, amount: take, back: false } : undefined;
  };

  let failing = 0;

  /** Has movements made by one transaction. */
  const send = async (treasury: Address, movements: readonly Planned[]): Promise<void> => {
    const [jobId, now] = [`collect/${runtime.newId()}`, runtime.now()];
    const planned = movements.map(({ accountId, symbol: token, nonce, amount, back }) => {
      return { accountId, token, chainId, nonce, amount: amount.toString(), back, jobId, plannedAt: now };
    });
    await collections.plan(planned);
    const call = encodeMovements(treasury, movements);
    await jobs.add({ id: jobId, chainId, ...call, gas: BATCH_GAS + MOVEMENT_GAS * BigInt(movements.length), createdAt: now });
  };

  return {
    /** Nets, and plans the movements of, the Safes that are due. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      const due = await safes.dueForCollection(chainId, runtime.now(), SAFES);
      // Read first: what is booked meanwhile uses up a number that was read before, and is not taken again.
      const bookedTo = due.length === 0 ? undefined : (await cursor())?.number;
      const collects = above !== undefined && bookedTo !== undefined && (await node.codeAt(COLLECTOR.address, bookedTo)) !== '0x';
      const found: Planned[] = [];
      const looked = new Set<StoredSafe>();
      const known = new Map<string, KnownSums>();
      const working = workOnEach(
        due,
        closed,
        async (safe) => {
          const terms = above && safe.delay?.terms;
          const { accountId } = safe;
          const { totals, sums } = await entries.totalsAfter(accountId, safe.sums);
          for (const [symbol, { settling }] of totals) {
            if (terms !== undefined && bookedTo !== undefined && !collects && settling > 0n) unsent.add(`${accountId}/${symbol}`);
            else unsent.delete(`${accountId}/${symbol}`);
          }
          if (sums !== undefined && sums.position !== safe.sums?.position) known.set(accountId, sums);
          for (const { token } of terms?.limits ?? []) {
            const movement = terms && collects ? await plan(safe, terms, token, totals, bookedTo) : undefined;
            if (movement !== undefined) found.push(movement);
          }
          const stays = [...symbols].filter(([contract]) => !terms?.limits.some(({ token }) => token.toLowerCase() === contract));
          for (const [, token] of stays) await netRefunds({ accountId, token }, totals.get(token) ?? NO_ENTRIES);
          looked.add(safe);
        },
        AT_ONCE,
      );
      const failure = await working.then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      for (const [treasury, movements] of Map.groupBy(found, (movement) => movement.treasury)) {
        // Before that, every transaction would fail.
        if (!(await view('isOperator', [treasury, operator], await node.newestNumber()))) {
          for (const { accountId, symbol } of movements) unsent.add(`${accountId}/${symbol}`);
          continue;
        }
        for (let at = 0; at < movements.length; at += BATCH) await send(treasury, movements.slice(at, at + BATCH));
      }
      const after = (pauseMs: number) => new Date(runtime.now().getTime() + pauseMs);
      await safes.keepSums(known);
      await safes.collected([...looked], after(everyMs));
      const left = closed() ? [] : due.filter((safe) => !looked.has(safe));
      await safes.collected(left, after(Math.min(everyMs, RETRY_MS)));
      failing = unsent.size + (await collections.countFailing(chainId));
      if (failure !== undefined) throw failure.error;
    },
    /** Returns the number of accounts and tokens whose last movement the Collector could not make, or of which it would take none. */
    failing: (): number => failing,
  };
};
