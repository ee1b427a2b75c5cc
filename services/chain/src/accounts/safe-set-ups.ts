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
  setUpTransaction,
} from '@florin/evm/safe';
import type { Logger } from '@florin/rpc/observe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeStore, StoredSafe } from '../store/safes.ts';
import { inspectSafe } from './inspect-safe.ts';
import { newestNonce } from './safe-nonce.ts';

/** Gas of a whole set-up: 1.2 million, with room for another gas schedule. */
const SET_UP_GAS = 2_500_000n;

/** Somebody can get ahead of the relayer's transaction by deploying a part of it, which makes it fail, once for each part. */
const MAX_TRIES = 4;

/** Verified Safes that are inspected in one round, one after the other: each costs every node some twenty queries. */
const INSPECTIONS = 4;

/** Set-ups that are looked after in one round. */
const BATCH = 100;

export type SafeSetUpParts = {
  chainId: number;
  node: ExecutionNode;
  delay: DelaySettings;
  safes: SafeStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  /** Tells the ledger that an account's Safe is what it should be. May be repeated. */
  confirm: (accountId: string) => Promise<void>;
  /** Stops the spending of an account. May be repeated. */
  block: (accountId: string) => Promise<void>;
  /** How long after an inspection a verified Safe is inspected again. */
  inspectEveryMs: number;
  logger: Logger;
  now: () => Date;
};

/** Carries out the set-ups that owners have signed, and verifies what they lead to. */
export const createSafeSetUps = (parts: SafeSetUpParts) => {
  const { chainId, node, delay, safes, jobs, confirm, block, inspectEveryMs, logger, now } = parts;
  const transactionOf = async (parties: SafeParties, stored: StoredSafe | undefined): Promise<SafeTransaction> =>
    setUpTransaction(parties, delay, await newestNonce(node, parties.safe, stored?.inspectedBlock));

  /** Deploys what is missing and executes the set-up, all or nothing. */
  const addJob = async ({ accountId, jobId, setUp, ...rest }: StoredSafe): Promise<void> => {
    const parties = { accountId, ...rest };
    const newest = await node.newestNumber();
    const isMissing = async (address: Hex) => (await node.codeAt(address, newest)) === '0x';
    const execution = encodeExecution(setUpTransaction(parties, delay, BigInt(setUp.nonce)), setUp.signature);
    const calls = [
      ...((await isMissing(parties.safe)) ? [encodeSafeDeployment(parties)] : []),
      ...((await isMissing(predictDelayModule(parties.safe, delay))) ? [encodeDelayDeployment(parties.safe, delay)] : []),
      execution,
    ];
    await jobs.add({ id: jobId, chainId, ...encodeMultiSend(calls), gas: SET_UP_GAS, createdAt: now() });
  };

  const advance = async (safe: StoredSafe, finalized: number): Promise<void> => {
    const job = await jobs.find(safe.jobId);
    // The process ended before the job was added.
    if (job === undefined) return addJob(safe);
    if (job.outcome === undefined || job.outcome.blockNumber > finalized) return;
    const findings = await inspectSafe(node, safe, delay, finalized);
    if (findings.length === 0) await confirm(safe.accountId);
    else if (!job.outcome.succeeded && safe.setUp.tries < MAX_TRIES) {
      const tries = safe.setUp.tries + 1;
      return safes.retry(safe, { jobId: `${safe.jobId.replace(/#\d+$/, '')}#${tries}`, tries });
    }
    await safes.inspected(safe, { findings, block: finalized, at: now() });
  };

  /** What changed without an event that raises an alarm is found here. */
  const inspectAgain = async (safe: StoredSafe, finalized: number): Promise<void> => {
    const { accountId } = safe;
    const findings = await inspectSafe(node, safe, delay, finalized);
    if (findings.length > 0) {
      logger.error({ chainId, accountId, findings }, 'a verified Safe is not what the account needs any more: its account is blocked');
      await block(accountId);
    }
    await safes.inspectedAgain(safe, { findings, block: finalized, at: now() });
  };

  return {
    delay,
    /**
     * The transaction that the owner has to sign now.
     * @param stored what `find` returned of the account
     * @throws CodedError SERVICE_UNAVAILABLE while the nodes are behind its last inspection
     */
    transactionOf,
    /** Stores the owner's signature over `transaction`, and has it carried out. A repeat changes nothing. @returns what is stored then */
    request: async (parties: SafeParties, transaction: SafeTransaction, signature: Hex): Promise<StoredSafe> => {
      const nonce = transaction.nonce.toString();
      const jobId = `set-up/${parties.accountId}/${nonce}#1`;
      const stored = await safes.request({ ...parties, status: 'relaying', jobId, findings: [], setUp: { nonce, signature, tries: 1 } });
      if (stored.status === 'relaying') await addJob(stored);
      return stored;
    },
    find: safes.find,
    /** Moves every set-up on by what can be done now. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      const open = await safes.relaying(chainId, BATCH);
      const due = await safes.inspectedBefore(chainId, new Date(now().getTime() - inspectEveryMs), INSPECTIONS);
      if (open.length + due.length === 0) return;
      const finalized = await node.finalizedNumber();
      await workOnEach(open, closed, (safe) => advance(safe, finalized));
      await workOnEach(due, closed, (safe) => inspectAgain(safe, finalized));
    },
  };
};

export type SafeSetUps = ReturnType<typeof createSafeSetUps>;
