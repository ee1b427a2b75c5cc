import type { Hex } from '@florin/evm/hex';
import { type DelaySettings, safeTransactionHash, setUpTransaction } from '@florin/evm/safe';
import type { Logger } from '@florin/rpc/observe';
import { frozenException } from '../alarming/token-alarms.ts';
import type { AccountsClient } from '../clients/accounts.ts';
import { expectedRequests, type RecoveryTransaction } from '../domain/recovery.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { RecoveryTransactionStore } from '../store/recovery-transactions.ts';
import { type Inspection, RETRY_MS, type SafeStore, type StoredSafe } from '../store/safes.ts';
import { findFrozen, inspectSafe } from './inspect-safe.ts';
import { type HistoryParts, readHistory } from './safe-history.ts';
import { isStorageExplained } from './safe-storage.ts';

/** Safes that are inspected in one round, and at the same time: each costs every node some twenty queries. */
const BATCH = 64;
const AT_ONCE = 8;

/** Only the first transaction of a Safe can be its set-up. */
export const SET_UP_NONCE = 0n;

/** Pause before a Safe is inspected once more while a block is not final. */
const RECHECK_MS = 15_000;

/** How long, and how often, inspections in a row have to find storage that nothing explains before it counts as another history. */
const [STORAGE_MS, STORAGE_TIMES] = [86_400_000, 3];

const NEVER = new Date('9999-12-31');

export type SafeInspectionParts = {
  chainId: number;
  node: ExecutionNode;
  /** Symbols of the tokens that Safes hold, by contract in lower case. */
  symbols: ReadonlyMap<Hex, string>;
  /** How Safes are set up now. */
  delay: DelaySettings;
  safes: Pick<SafeStore, 'takeDue' | 'inspected' | 'isLate' | 'wasInspected' | 'historyUntold' | 'toldHistory'>;
  /** Tells the ledger that an account's Safe is what it should be. May be repeated. */
  confirm: (accountId: string) => Promise<void>;
  /** Tells the ledger that it is not: the account is blocked until the next `confirm`, or for ever if the history differs. May be repeated. @returns true if the ledger knows that it does */
  revoke: (accountId: string, historyDiffers?: boolean) => Promise<boolean>;
  /** Stops the spending of a token, or lets it go on. May be repeated. */
  accounts: Pick<AccountsClient, 'blockToken' | 'unblockToken' | 'exchangeSafeOwner' | 'isProvisioning'>;
  exceptions: Pick<ExceptionStore, 'open' | 'openOfTokens'>;
  history: Pick<HistoryParts, 'openedAt' | 'signedWith'>;
  /** The transactions by which an account's owner has named a backup key, or was exchanged. */
  recoveriesOf: RecoveryTransactionStore['ofAccount'];
  /** How long after an inspection a Safe is inspected again. */
  inspectEveryMs: number;
  /** How long after an inspection a Safe that was not inspected again is late. */
  inspectWithinMs: number;
  logger: Logger;
  now: () => Date;
};

/** Has a Safe inspected once more when a block is final. */
export const recheck = (found: Omit<Inspection, 'dueAt' | 'recheckBlock'>, recheckBlock: number): Inspection => ({
  ...found,
  recheckBlock,
  dueAt: new Date(found.at.getTime() + RECHECK_MS),
});

/** Inspects Safes again and again. */
export const createSafeInspections = (parts: SafeInspectionParts) => {
  const {
    chainId,
    node,
    symbols,
    safes,
    confirm,
    revoke,
    accounts,
    exceptions,
    history,
    recoveriesOf,
    inspectEveryMs,
    inspectWithinMs,
    logger,
    now,
  } = parts;

  let isToldUnproven = false;
  const tellUnproven = (): void => {
    if (!isToldUnproven)
      logger.warn({ chainId }, 'most nodes prove no storage (eth_getProof): Safes are inspected by their views and events alone');
    isToldUnproven = true;
  };

  const delayOf = ({ delay }: StoredSafe): DelaySettings => delay ?? parts.delay;

  /** Compares a Safe with the control that it is known to have, and then with that to which a transaction leads that the platform has signed. */
  const compare = async (safe: StoredSafe, recoveries: readonly RecoveryTransaction[], block: number) => {
    const known = { owner: safe.owner, delay: delayOf(safe), ...(safe.backup === undefined ? {} : { backup: safe.backup }) };
    const requests = expectedRequests(recoveries);
    const findings = await inspectSafe(node, safe, { ...known, requests }, block);
    if (findings.length === 0) return { findings, control: { delay: known.delay } };
    for (const { status, control } of recoveries) {
      if (status !== 'signed' || control === undefined) continue;
      const left = await inspectSafe(node, { ...safe, owner: control.owner }, control, block);
      // Its owner, or a thief of that key, may have requested the new exit since: a recovery that has to be faster must be possible at once.
      if (left.some((finding) => finding !== 'exit_pending')) continue;
      return { findings: left, control: { ...control, first: safe.first ?? { owner: safe.owner, delay: known.delay } } };
    }
    return { findings, control: { delay: known.delay } };
  };

  /** Looks at a Safe and its history after a final block. */
  const inspect = async (safe: StoredSafe, block: number): Promise<Inspection> => {
    const { recheckBlock, first = { owner: safe.owner, delay: delayOf(safe) } } = safe;
    const recoveries = await recoveriesOf(safe.accountId);
    const { findings, control } = await compare(safe, recoveries, block);
    const setUp = safeTransactionHash(setUpTransaction({ ...safe, owner: first.owner }, first.delay, SET_UP_NONCE));
    const exchangesOf = async () =>
      recoveries.flatMap(({ exchange, status }) => (exchange && !['submitted', 'failed'].includes(status) ? [exchange.call] : []));
    const { differs, hasSetUp } = await readHistory({ node, ...history, exchangesOf }, safe, setUp, safe.historyBlock, block);
    const isKnown = hasSetUp || safe.historyBlock !== undefined;
    if (findings.length === 0 && !differs && !isKnown) throw new Error(`the nodes do not show how the Safe ${safe.safe} was set up`);
    const isLooked = !differs && findings.length === 0;
    const isExplained = isLooked ? await isStorageExplained({ node, ...history }, safe, block) : undefined;
    if (isLooked && isExplained === undefined) tellUnproven();
    const at = now();
    const { since, times } = safe.storageDiffers ?? { since: at, times: 0 };
    const storageDiffers = isExplained === false ? { since, times: times + 1 } : undefined;
    const shown = isExplained === false ? (['storage_differs'] as const) : findings;
    const found = { findings: shown, ...control, ...(storageDiffers && { storageDiffers }), block, at };
    // Nothing else would end it: an account gets a successor only if its Safe is given up.
    const lasts = storageDiffers !== undefined && at.getTime() - since.getTime() >= STORAGE_MS && storageDiffers.times >= STORAGE_TIMES;
    if (differs || lasts) return { ...found, findings: [...shown, 'history_differs'], dueAt: NEVER };
    const read = { ...found, ...(isKnown ? { historyBlock: block } : {}) };
    if (recheckBlock !== undefined && recheckBlock > block) return recheck(read, recheckBlock);
    return { ...read, dueAt: new Date(at.getTime() + inspectEveryMs) };
  };

  const symbolOf = (contract: Hex): string => symbols.get(contract) ?? contract;

  /**
   * Looks for tokens that a Safe cannot move any more, or again. Those that are blocked for all accounts are left out: their end is not the Safe's.
   * @returns what is to be recorded as frozen, and which of it is not any more
   */
  const inspectTokens = async ({ accountId, frozen: known = {}, ...safe }: StoredSafe, halted: ReadonlySet<string>, block: number) => {
    const tokens = [...symbols.keys()].filter((contract) => !halted.has(symbolOf(contract)));
    const found = await findFrozen(node, safe, tokens, block);
    const frozen: Record<Hex, number> = { ...known };
    const freed = tokens.filter((contract) => (known[contract] ?? block + 1) <= block && !found.includes(contract));
    for (const contract of freed) delete frozen[contract];
    for (const contract of found) {
      if (frozen[contract] !== undefined) continue;
      frozen[contract] = block;
      const token = symbolOf(contract);
      logger.error({ chainId, accountId, token }, 'a Safe cannot move a token: the account cannot spend it');
      await accounts.blockToken({ token, reason: 'frozen', accountId });
      const place = { number: block, hash: await node.blockHash(block) };
      await exceptions.open(frozenException({ chainId, accountId, contract, token, block: place }, undefined, now()));
    }
    return { frozen, freed };
  };

  /** Finds changes that raised no alarm, and Safes that are as they must be again. */
  const inspectAgain = async (safe: StoredSafe, halted: ReadonlySet<string>, finalized: number): Promise<void> => {
    const { accountId, status, verifiedAt, recheckBlock } = safe;
    const { frozen, freed } = await inspectTokens(safe, halted, finalized);
    const inspected = await inspect(safe, finalized);
    const isWaiting = Object.values(frozen).some((block) => block > finalized);
    const found = { ...inspected, frozen, ...(isWaiting ? { dueAt: new Date(inspected.at.getTime() + RECHECK_MS) } : {}) };
    const { findings } = found;
    if (found.owner !== undefined && found.owner !== safe.owner) await accounts.exchangeSafeOwner(accountId, safe.owner, found.owner);
    // The cause of an alarm may be in a block that is not final yet.
    if (findings.length === 0 && found.recheckBlock === undefined && (status === 'deviating' || recheckBlock !== undefined))
      await confirm(accountId);
    // Where accounts need no Safe, one that was never verified concerns nobody.
    if (findings.length > 0 && verifiedAt !== undefined) {
      logger.error({ chainId, accountId, findings }, 'a verified Safe is not what the account needs any more: its account is blocked');
      await revoke(accountId);
    }
    const change = (contract: Hex) => ({ token: symbolOf(contract), reason: 'frozen', accountId }) as const;
    for (const contract of freed) await accounts.unblockToken(change(contract));
    if (await safes.inspected(safe, found)) return;
    // It may have been frozen meanwhile, when the token was blocked already: the next inspection decides.
    for (const contract of freed) await accounts.blockToken(change(contract));
  };

  /**
   * Blocks the account of a Safe whose inspections keep failing until the next one that succeeds, and before the Safe is late: what only its owner may have caused
   * stops no other account. While no Safe is inspected, the nodes fail, and none is blocked. To be called again while they fail.
   */
  const giveUp = async (safe: StoredSafe): Promise<void> => {
    const { accountId, status, findings, inspectedAt, inspectedBlock, recheckBlock } = safe;
    if (inspectedAt === undefined || inspectedBlock === undefined) return;
    if (!findings.includes('not_inspected')) {
      const age = now().getTime() - inspectedAt.getTime();
      if (status !== 'verified' || age < (inspectEveryMs + inspectWithinMs) / 2) return;
      if (!(await safes.wasInspected(chainId, new Date(inspectedAt.getTime() + inspectEveryMs)))) return;
      logger.error({ chainId, accountId }, 'a verified Safe cannot be inspected, others can: its account is blocked');
    }
    const found = { findings: ['not_inspected'] as const, block: inspectedBlock, at: inspectedAt, delay: delayOf(safe) };
    const retry = { ...(recheckBlock === undefined ? {} : { recheckBlock }), dueAt: new Date(now().getTime() + RETRY_MS) };
    // First, so that the next success confirms it.
    if (await safes.inspected(safe, { ...found, ...retry })) await revoke(accountId);
  };

  /** Has the ledger never confirm a Safe with another history again: after the inspection was recorded, so that it is done whenever a process ends. */
  const tellHistory = async ({ accountId, verifiedAt }: StoredSafe): Promise<void> => {
    // Where accounts need no Safe, one that was never verified concerns nobody but an account that waits for it.
    const concerns = verifiedAt !== undefined || (await accounts.isProvisioning(accountId));
    if (!concerns || (await revoke(accountId, true))) await safes.toldHistory(accountId);
  };

  return {
    inspect,
    /** Inspects a Safe, without its history, after the newest block, which may still be replaced. */
    look: async (safe: StoredSafe) => {
      const block = await node.newestNumber();
      return { block, findings: (await compare(safe, await recoveriesOf(safe.accountId), block)).findings };
    },
    /** Inspects the Safes that are due. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      const due = await safes.takeDue(chainId, now(), BATCH);
      if (due.length > 0) {
        const finalized = await node.finalizedNumber();
        const halted = new Set((await exceptions.openOfTokens()).map(({ transfer }) => transfer.token));
        const work = async (safe: StoredSafe): Promise<void> => {
          try {
            await inspectAgain(safe, halted, finalized);
          } catch (error) {
            await giveUp(safe);
            throw error;
          }
        };
        await workOnEach(due, closed, work, AT_ONCE);
      }
      // Last: a part of the ledger that is away delays no inspection.
      await workOnEach(await safes.historyUntold(chainId, BATCH), closed, tellHistory);
    },
    /** Returns true if a verified Safe is late: there are more Safes than can be inspected, or nodes fail. */
    areLate: (): Promise<boolean> => safes.isLate(chainId, new Date(now().getTime() - inspectWithinMs)),
  };
};

export type SafeInspections = ReturnType<typeof createSafeInspections>;
