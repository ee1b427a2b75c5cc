import type { Hex } from '@florin/evm/hex';
import {
  COLLECTOR,
  type DelaySettings,
  encodeCollectorDeployment,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeSafeDeployment,
  isSharedFromBirth,
  joinOwnerSignatures,
  predictDelayModule,
  type SafeTransaction,
  setUpTransaction,
} from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { SafePlan } from '../domain/account-safe.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createTurns } from '../relaying/take-turns.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeStore, StoredSafe } from '../store/safes.ts';
import { recheck, type SafeInspections, SET_UP_NONCE } from './safe-inspections.ts';
import { newestNonce, safeNonce } from './safe-nonce.ts';

/** Gas of the first try of a set-up: all of it takes 1.2 million. Later tries have as much again each. */
const SET_UP_GAS = 2_500_000n;

/** Gas of the deployment of the Collector, with the first set-up on a chain that needs it. */
const COLLECTOR_GAS = 1_500_000n;

/** A deployment and the execution, which fail once for each part that somebody else deploys first. */
const MAX_TRIES = 5;

/** Set-ups that are looked after in one round. */
const BATCH = 100;

/** A job of its own for each try: `set-up/<account>#<n>`. */
const nextJobId = ({ jobId }: StoredSafe): string => jobId.replace(/\d+$/, (tried) => `${Number(tried) + 1}`);

export type SafeSetUpParts = {
  chainId: number;
  node: ExecutionNode;
  delay: DelaySettings;
  safes: Pick<SafeStore, 'find' | 'request' | 'relaying' | 'retry' | 'inspected'>;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  inspections: Pick<SafeInspections, 'inspect' | 'look'>;
  /** Tells the ledger that an account's Safe is what it should be, or is not. May be repeated. */
  confirm: (accountId: string) => Promise<void>;
  revoke: (accountId: string) => Promise<unknown>;
  now: () => Date;
};

/** Carries out the set-ups that owners have signed, and verifies what they lead to. */
export const createSafeSetUps = (parts: SafeSetUpParts) => {
  const { chainId, node, delay, safes, jobs, inspections, confirm, revoke, now } = parts;

  const nextRelaying = createTurns(
    BATCH,
    (after, limit) => safes.relaying(chainId, after, limit),
    ({ accountId }) => accountId,
  );

  const offer = async ({ parties, delay: settings }: SafePlan, stored: StoredSafe | undefined): Promise<SafeTransaction> => {
    // A Safe that was shared from birth can have used its first nonce for the set-up only, which anyone may have executed.
    const isUnused = isSharedFromBirth(parties) || (await newestNonce(node, parties.safe, stored?.inspectedBlock)) === SET_UP_NONCE;
    if (!isUnused || stored?.first !== undefined || stored?.findings.includes('history_differs'))
      throw new CodedError('SET_UP_NOT_AVAILABLE');
    return setUpTransaction(parties, settings, SET_UP_NONCE);
  };

  /**
   * Deploys what is missing, all or nothing, or executes the set-up when nothing is; nothing if somebody has executed it, or while a part is in a block that is not final. The signatures
   * are shown to nobody before the module and the Collector exist in a final block: a call of an address without code succeeds, so that somebody who deploys the Safe alone could use
   * them up for a set-up without a way out.
   */
  const addJob = async ({ jobId, setUp, delay: settings = delay, ...parties }: StoredSafe): Promise<void> => {
    const newest = await node.newestNumber();
    if ((await safeNonce(node, parties.safe, newest)) !== SET_UP_NONCE) return;
    const missingAt = async (block: number): Promise<Record<'collector' | 'safe' | 'module', boolean>> => {
      const isMissing = async (address: Hex) => (await node.codeAt(address, block)) === '0x';
      return {
        collector: settings.terms !== undefined && (await isMissing(COLLECTOR.address)),
        safe: await isMissing(parties.safe),
        module: await isMissing(predictDelayModule(parties.safe, settings)),
      };
    };
    const missing = await missingAt(newest);
    const deployments = [
      ...(missing.collector ? [encodeCollectorDeployment()] : []),
      ...(missing.safe ? [encodeSafeDeployment(parties)] : []),
      ...(missing.module ? [encodeDelayDeployment(parties.safe, settings)] : []),
    ];
    // Somebody else has deployed it, and the block may be replaced: the next round looks again.
    if (deployments.length === 0 && Object.values(await missingAt(await node.finalizedNumber())).includes(true)) return;
    const execution = encodeExecution(setUpTransaction(parties, settings, SET_UP_NONCE), setUp.signature);
    const gas = SET_UP_GAS * BigInt(setUp.tries) + (missing.collector ? COLLECTOR_GAS : 0n);
    await jobs.add({ id: jobId, chainId, ...(deployments.length > 0 ? encodeMultiSend(deployments) : execution), gas, createdAt: now() });
  };

  /** Has the set-up carried on by another job. */
  const addNextJob = async (safe: StoredSafe): Promise<void> => {
    const next = { jobId: nextJobId(safe), tries: safe.setUp.tries + 1 };
    await safes.retry(safe, next);
    await addJob({ ...safe, jobId: next.jobId, setUp: { ...safe.setUp, tries: next.tries } });
  };

  const advance = async (safe: StoredSafe, finalized: number): Promise<void> => {
    const { accountId, setUp } = safe;
    const job = await jobs.find(safe.jobId);
    if (job !== undefined && (job.outcome === undefined || job.outcome.blockNumber > finalized)) return;
    const isUnused = (await safeNonce(node, safe.safe, finalized)) === SET_UP_NONCE;
    // The process ended before the job was added; without one, the set-up was executed by somebody else.
    if (job === undefined && isUnused) return addJob(safe);
    const found = await inspections.inspect(safe, finalized);
    if (found.findings.length > 0) {
      // Its parts are deployed, or somebody got ahead.
      const goesOn = job?.outcome !== undefined && (isUnused || !job.outcome.succeeded);
      if (goesOn && setUp.tries < MAX_TRIES && !found.findings.includes('history_differs')) return addNextJob(safe);
      await safes.inspected(safe, found);
      return;
    }
    // An alarm about a block that is not final: the Safe is inspected once it is.
    if (found.recheckBlock !== undefined) return;
    await confirm(accountId);
    // From now on the account spends, and what the owner has done since the final block decides whether it may.
    const { block, findings } = await inspections.look(safe);
    if (findings.length > 0) await revoke(accountId);
    await safes.inspected(safe, recheck(found, block));
  };

  return {
    /**
     * The transaction that the owner has to sign now.
     * @param stored what `find` returned of the account
     * @throws CodedError SET_UP_NOT_AVAILABLE when the Safe has executed something; SERVICE_UNAVAILABLE while the nodes are behind its last inspection
     */
    offer,
    /**
     * Stores the owner's signature over the set-up with that of the platform, and has it carried out. A repeat changes nothing.
     * @param former what `find` returned of the account
     * @returns what is stored then
     */
    request: async (plan: SafePlan, former: StoredSafe | undefined, byOwner: Hex): Promise<StoredSafe> => {
      const { parties, delay: settings } = plan;
      const byPlatform = plan.signature === undefined ? [] : [plan.signature];
      const signature = joinOwnerSignatures([{ owner: parties.owner, signature: byOwner }, ...byPlatform]);
      const jobId = former === undefined ? `set-up/${parties.accountId}#1` : nextJobId(former);
      const setUp = { nonce: SET_UP_NONCE.toString(), signature, tries: 1 };
      const stored = await safes.request({ ...parties, delay: settings, status: 'relaying', jobId, findings: [], setUp });
      if (stored.status === 'relaying') await addJob(stored);
      return stored;
    },
    find: safes.find,
    /** Moves every set-up on by what can be done now. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      const open = await nextRelaying();
      if (open.length === 0) return;
      const finalized = await node.finalizedNumber();
      await workOnEach(open, closed, (safe) => advance(safe, finalized));
    },
  };
};

export type SafeSetUps = ReturnType<typeof createSafeSetUps>;
