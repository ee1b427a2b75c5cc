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
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeStore, StoredSafe } from '../store/safes.ts';
import { inspectSafe } from './inspect-safe.ts';
import { SAFE_VIEWS } from './safe-abi.ts';

/** Gas of a whole set-up: 1.2 million, with room for another gas schedule. */
const SET_UP_GAS = 2_500_000n;

/** Somebody can get ahead of the relayer's transaction by deploying a part of it, which makes it fail, once for each part. */
const MAX_TRIES = 4;

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
  now: () => Date;
};

/** The nonce of a Safe's next transaction after a block; 0 before it is deployed. */
export const safeNonce = async (node: ExecutionNode, safe: Hex, block: number): Promise<bigint> => {
  if ((await node.codeAt(safe, block)) === '0x') return 0n;
  const data = await node.call(safe, encodeFunctionData({ abi: SAFE_VIEWS, functionName: 'nonce' }), block);
  return decodeFunctionResult({ abi: SAFE_VIEWS, functionName: 'nonce', data });
};

/** Carries out the set-ups that owners have signed, and verifies what they lead to. */
export const createSafeSetUps = ({ chainId, node, delay, safes, jobs, confirm, now }: SafeSetUpParts) => {
  const transactionOf = async (parties: SafeParties): Promise<SafeTransaction> =>
    setUpTransaction(parties, delay, await safeNonce(node, parties.safe, await node.newestNumber()));

  /** Deploys what is missing and executes the set-up, all or nothing. */
  const addJob = async ({ accountId, jobId, setUp, ...rest }: StoredSafe): Promise<void> => {
    const parties = { accountId, ...rest };
    const block = await node.newestNumber();
    const isMissing = async (address: Hex) => (await node.codeAt(address, block)) === '0x';
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

  return {
    delay,
    /** The transaction that the owner has to sign now. */
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
      if (open.length === 0) return;
      const finalized = await node.finalizedNumber();
      await workOnEach(open, closed, (safe) => advance(safe, finalized));
    },
  };
};

export type SafeSetUps = ReturnType<typeof createSafeSetUps>;
