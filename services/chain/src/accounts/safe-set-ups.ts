import type { Hex } from '@florin/evm/hex';
import {
  type DelaySettings,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeSafeDeployment,
  predictDelayModule,
  type SafeParties,
  type SafeTransaction,
  safeTransactionHash,
  setUpTransaction,
} from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { Inspection, SafeStore, StoredSafe } from '../store/safes.ts';
import { inspectSafe } from './inspect-safe.ts';
import { type HistoryParts, readHistory } from './safe-history.ts';
import { newestNonce } from './safe-nonce.ts';

/** Gas of a whole set-up: 1.2 million, with room for another gas schedule. */
const SET_UP_GAS = 2_500_000n;

/** Somebody can get ahead of the relayer's transaction by deploying a part of it, which makes it fail, once for each part. */
const MAX_TRIES = 4;

/** Safes that are inspected in one round, one after the other: each costs every node some twenty queries. */
const INSPECTIONS = 4;

/** Only the first transaction of a Safe can be its set-up. */
const SET_UP_NONCE = 0n;

/** Set-ups that are looked after in one round. */
const BATCH = 100;

/** A job of its own for each try: `set-up/<account>#<n>`. */
const nextJobId = ({ jobId }: StoredSafe): string => jobId.replace(/\d+$/, (tried) => `${Number(tried) + 1}`);

export type SafeSetUpParts = {
  chainId: number;
  node: ExecutionNode;
  delay: DelaySettings;
  safes: SafeStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  /** Tells the ledger that an account's Safe is what it should be. May be repeated. */
  confirm: (accountId: string) => Promise<void>;
  /** Tells the ledger that it is not: the account is blocked until the next `confirm`. May be repeated. */
  revoke: (accountId: string) => Promise<void>;
  history: Pick<HistoryParts, 'openedAt' | 'signedWith'>;
  /** How long after an inspection a Safe is inspected again. */
  inspectEveryMs: number;
  logger: Logger;
  now: () => Date;
};

/** Carries out the set-ups that owners have signed, and verifies what they lead to. */
export const createSafeSetUps = (parts: SafeSetUpParts) => {
  const { chainId, node, delay, safes, jobs, confirm, revoke, history, inspectEveryMs, logger, now } = parts;
  const setUpOf = (parties: SafeParties): SafeTransaction => setUpTransaction(parties, delay, SET_UP_NONCE);

  const offer = async (parties: SafeParties, stored: StoredSafe | undefined): Promise<SafeTransaction> => {
    const nonce = await newestNonce(node, parties.safe, stored?.inspectedBlock);
    if (nonce !== SET_UP_NONCE || stored?.findings.includes('history_differs')) throw new CodedError('SET_UP_NOT_AVAILABLE');
    return setUpOf(parties);
  };

  /** Deploys what is missing and executes the set-up, all or nothing. */
  const addJob = async ({ jobId, setUp, ...parties }: StoredSafe): Promise<void> => {
    const newest = await node.newestNumber();
    const isMissing = async (address: Hex) => (await node.codeAt(address, newest)) === '0x';
    const execution = encodeExecution(setUpOf(parties), setUp.signature);
    const calls = [
      ...((await isMissing(parties.safe)) ? [encodeSafeDeployment(parties)] : []),
      ...((await isMissing(predictDelayModule(parties.safe, delay))) ? [encodeDelayDeployment(parties.safe, delay)] : []),
      execution,
    ];
    await jobs.add({ id: jobId, chainId, ...encodeMultiSend(calls), gas: SET_UP_GAS, createdAt: now() });
  };

  /** Looks at a Safe and its history after a final block. */
  const inspect = async (safe: StoredSafe, block: number): Promise<Inspection> => {
    const findings = await inspectSafe(node, safe, delay, block);
    const setUp = safeTransactionHash(setUpOf(safe));
    const { differs, hasSetUp } = await readHistory({ node, ...history }, safe, setUp, safe.historyBlock, block);
    if (differs) return { findings: [...findings, 'history_differs'], block, at: now() };
    const isKnown = hasSetUp || safe.historyBlock !== undefined;
    if (findings.length === 0 && !isKnown) throw new Error(`the nodes do not show how the Safe ${safe.safe} was set up`);
    return { findings, ...(isKnown ? { historyBlock: block } : {}), block, at: now() };
  };

  const advance = async (safe: StoredSafe, finalized: number): Promise<void> => {
    const job = await jobs.find(safe.jobId);
    // The process ended before the job was added.
    if (job === undefined) return addJob(safe);
    if (job.outcome === undefined || job.outcome.blockNumber > finalized) return;
    const found = await inspect(safe, finalized);
    if (found.findings.length === 0) await confirm(safe.accountId);
    else if (!job.outcome.succeeded && safe.setUp.tries < MAX_TRIES && !found.findings.includes('history_differs')) {
      return safes.retry(safe, { jobId: nextJobId(safe), tries: safe.setUp.tries + 1 });
    }
    await safes.inspected(safe, found);
  };

  /** Finds what changed without an event that raises an alarm, and what has become what the account needs again. */
  const inspectAgain = async (safe: StoredSafe, finalized: number): Promise<void> => {
    const { accountId, status, verifiedAt } = safe;
    const found = await inspect(safe, finalized);
    const { findings } = found;
    if (findings.length === 0 && status === 'deviating') await confirm(accountId);
    // Where accounts need no Safe, one that was never verified concerns nobody.
    if (findings.length > 0 && verifiedAt !== undefined) {
      logger.error({ chainId, accountId, findings }, 'a verified Safe is not what the account needs any more: its account is blocked');
      await revoke(accountId);
    }
    await safes.inspected(safe, found);
  };

  return {
    delay,
    /**
     * The transaction that the owner has to sign now.
     * @param stored what `find` returned of the account
     * @throws CodedError SET_UP_NOT_AVAILABLE when the Safe has executed something; SERVICE_UNAVAILABLE while the nodes are behind its last inspection
     */
    offer,
    /**
     * Stores the owner's signature over the set-up, and has it carried out. A repeat changes nothing.
     * @param former what `find` returned of the account
     * @returns what is stored then
     */
    request: async (parties: SafeParties, former: StoredSafe | undefined, signature: Hex): Promise<StoredSafe> => {
      const jobId = former === undefined ? `set-up/${parties.accountId}#1` : nextJobId(former);
      const setUp = { nonce: SET_UP_NONCE.toString(), signature, tries: 1 };
      const stored = await safes.request({ ...parties, status: 'relaying', jobId, findings: [], setUp });
      if (stored.status === 'relaying') await addJob(stored);
      return stored;
    },
    find: safes.find,
    /** Moves every set-up on by what can be done now. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      const open = await safes.relaying(chainId, BATCH);
      const due = await safes.takeInspectedBefore(chainId, new Date(now().getTime() - inspectEveryMs), now(), INSPECTIONS);
      if (open.length + due.length === 0) return;
      const finalized = await node.finalizedNumber();
      await workOnEach(open, closed, (safe) => advance(safe, finalized));
      await workOnEach(due, closed, (safe) => inspectAgain(safe, finalized));
    },
  };
};

export type SafeSetUps = ReturnType<typeof createSafeSetUps>;
