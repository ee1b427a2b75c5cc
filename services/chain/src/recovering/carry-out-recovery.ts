import type { OutboxEvent } from '@florin/data/outbox';
import type { Hex } from '@florin/evm/hex';
import {
  type ContractCall,
  encodeDelayDeployment,
  encodeExchange,
  encodeExecution,
  encodeMultiSend,
  encodeRecoverySafeDeployment,
  encodeSkipExpired,
  joinOwnerSignatures,
  predictDelayModule,
  recoverySafe,
  type SafeControl,
} from '@florin/evm/safe';
import type { Logger } from '@florin/rpc/observe';
import type { PlatformOwner } from '../accounts/platform-owners.ts';
import { DELAY_VIEWS, SAFE_VIEWS } from '../accounts/safe-abi.ts';
import { safeNonce } from '../accounts/safe-nonce.ts';
import type { UserAccount } from '../clients/accounts.ts';
import type { RecoveryEventType } from '../domain/events.ts';
import { droppedUpTo, type RecoveryTransaction } from '../domain/recovery.ts';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { NOT_SENT } from '../relaying/relayer.ts';
import type { RecoveryTransactionStore } from '../store/recovery-transactions.ts';
import type { RelayJob, RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeStore, StoredSafe } from '../store/safes.ts';

/** Gas of a call of a recovery: two deployments take 600,000, the naming 212,000. Later tries have as much again each. */
const GAS = 1_000_000n;

/** A deployment fails once for each part that somebody else deploys first. */
const MAX_TRIES = 5;

/** How long an exchange may be executable before somebody has to look at it. */
const OVERDUE_MS = 3_600_000;

/** The calls that the relayer makes for a transaction, in their order, by what their names end with. */
const PARTS = { deployment: '/deployment', execution: '', exchange: '/exchange', expiry: '/expiry' } as const;

type RecoveryStep = keyof typeof PARTS;

/** A call that was begun: its last transaction, and whether its tries are used up. */
export type RecoveryCall = { step: RecoveryStep; txHash?: Hex; isStuck: boolean };

/** Returns true if an exchange could be executed long before this time. */
export const isOverdue = ({ executableAt }: RecoveryTransaction, time: Date): boolean =>
  executableAt !== undefined && executableAt.getTime() + OVERDUE_MS < time.getTime();

export type CarryingOut = {
  chainId: number;
  node: ExecutionNode;
  /** @throws CodedError ACCOUNT_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  accountOf: (userId: string) => Promise<UserAccount>;
  /** The second owner of an account's Safe; undefined when it is not configured. */
  signerOf: (accountId: string) => Promise<PlatformOwner | undefined>;
  safes: Pick<SafeStore, 'find' | 'recheck'>;
  transactions: RecoveryTransactionStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  runtime: { now: () => Date };
  logger: Logger;
};

type ToEvent = (transaction: RecoveryTransaction, type: RecoveryEventType) => OutboxEvent;

const jobIdOf = (name: string, tried: number): string => `recovery/${name}#${tried}`;

const isAs = (safe: StoredSafe, { owner, backup }: SafeControl): boolean =>
  safe.owner === owner && safe.backup?.address === backup?.address;

/** Moves signed transactions on, each until the Safe is as it leads to, or never will be. Every step can be repeated. */
export const createCarryingOut = ({ chainId, node, accountOf, signerOf, safes, transactions, jobs, runtime, logger }: CarryingOut) => {
  const end = (transaction: RecoveryTransaction, to: 'completed' | 'cancelled' | 'failed', event?: OutboxEvent): Promise<boolean> =>
    transactions.move(transaction, to, { endedAt: runtime.now() }, event);

  /** The latest try of a call, and its number; 0 before the first one. */
  const latestTry = async (name: string): Promise<{ tried: number; job?: RelayJob }> => {
    let latest: { tried: number; job?: RelayJob } = { tried: 0 };
    while (latest.tried < MAX_TRIES) {
      const tried = latest.tried + 1;
      const job = await jobs.find(jobIdOf(name, tried));
      if (job === undefined) break;
      latest = { tried, job };
    }
    return latest;
  };

  /** Has a call made, again after one that failed. It is to be asked for only while what the call does is missing in the newest block. */
  const send = async (name: string, { to, data }: ContractCall): Promise<void> => {
    const { tried, job } = await latestTry(name);
    if (job !== undefined && job.outcome === undefined) return;
    if (tried === MAX_TRIES) return logger.error({ chainId, name }, 'a transaction of a recovery failed, and is not sent again');
    await jobs.add({ id: jobIdOf(name, tried + 1), chainId, to, data, gas: GAS * BigInt(tried + 1), createdAt: runtime.now() });
  };

  /**
   * Has what is missing deployed.
   * @returns true once everything exists in a final block: before, a call of it would succeed without effect
   */
  const areDeployed = async (name: string, wanted: readonly { address: Hex; deployment: ContractCall }[]): Promise<boolean> => {
    const missingAt = async (block: number) => {
      const codes = await Promise.all(wanted.map(({ address }) => node.codeAt(address, block)));
      return wanted.filter((_, index) => codes[index] === '0x');
    };
    const missing = await missingAt(await node.newestNumber());
    if (missing.length > 0) await send(`${name}/deployment`, encodeMultiSend(missing.map(({ deployment }) => deployment)));
    return missing.length === 0 && (await missingAt(await node.finalizedNumber())).length === 0;
  };

  const moduleOf = (safe: Hex, settings: SafeControl['delay']) => ({
    address: predictDelayModule(safe, settings),
    deployment: encodeDelayDeployment(safe, settings),
  });

  /** Has a transaction executed whose nonce is free, with both signatures, unless it has failed meanwhile. */
  const execute = async ({ id, accountId, transaction, signer, signature }: RecoveryTransaction): Promise<void> => {
    const platform = await signerOf(accountId);
    if (platform === undefined || signature === undefined) throw new Error('a signed transaction has a signer, and a signature');
    const signatures = joinOwnerSignatures([{ owner: signer, signature }, await platform.sign(transaction)]);
    if (await transactions.markSent({ id })) await send(id, encodeExecution(transaction, signatures));
  };

  /** Returns true once others may know the platform's signature of a transaction. One that is not sent yet may be sent by another call at any time. */
  const isSent = async ({ id, sent }: RecoveryTransaction): Promise<boolean> =>
    sent === true || (await jobs.find(jobIdOf(id, 1))) !== undefined;

  const isUnused = async ({ transaction: { safe, nonce } }: RecoveryTransaction, block: number): Promise<boolean> =>
    (await safeNonce(node, safe, block)) <= nonce;

  /** Returns true if a key owns a Safe after a block. */
  const isOwner = async (safe: Hex, key: Hex, block: number): Promise<boolean> =>
    ((await viewsOf(node, safe, SAFE_VIEWS, block)('getOwners')) as Hex[]).includes(key);

  /** A number of a recovery's module after a block. */
  const numberAt = async (module: Hex, name: 'txNonce' | 'queueNonce', block: number): Promise<number> =>
    Number(await viewsOf(node, module, DELAY_VIEWS, block)(name));

  const inspectSoon = async ({ accountId, recheckBlock }: StoredSafe, block: number): Promise<void> => {
    if (recheckBlock === undefined) await safes.recheck(accountId, block, runtime.now());
  };

  const advanceNaming = async (naming: RecoveryTransaction, safe: StoredSafe, toEvent: ToEvent): Promise<void> => {
    const { id, control } = naming;
    if (control?.backup === undefined) throw new Error('a naming has a backup key');
    if (isAs(safe, control)) return void (await end(naming, 'completed', toEvent(naming, 'backup_key.named')));
    if (safe.findings.includes('history_differs')) return void (await end(naming, 'failed'));
    const finalized = await node.finalizedNumber();
    // The inspection records it.
    if (!(await isUnused(naming, finalized))) return inspectSoon(safe, finalized);
    const modules = [moduleOf(safe.safe, control.delay), moduleOf(safe.safe, control.backup.delay)];
    if (!(await areDeployed(id, modules)) || !(await isUnused(naming, await node.newestNumber()))) return;
    // An owner who was revoked since names nothing any more.
    if ((await isSent(naming)) || (await accountOf(naming.userId)).active) return execute(naming);
    await transactions.failUnsent(naming, runtime.now());
  };

  const advanceRequest = async (request: RecoveryTransaction, safe: StoredSafe, toEvent: ToEvent): Promise<void> => {
    const { id, control, exchange, executableAt } = request;
    if (control?.backup === undefined || exchange === undefined) throw new Error('a request has a backup key, and an exchange');
    if (isAs(safe, control)) return void (await end(request, 'completed', toEvent(request, 'recovery.completed')));
    const { delay, address: backup } = control.backup;
    const { call, queueNonce } = exchange;
    const [finalized, newest] = [await node.finalizedNumber(), await node.newestNumber()];
    if ((await numberAt(call.module, 'txNonce', finalized)) > queueNonce) {
      // The inspection records the exchange. Without it, the request was stopped, or has expired.
      if (await isOwner(safe.safe, control.owner, finalized)) return inspectSoon(safe, finalized);
      return void (await end(request, 'cancelled', toEvent(request, 'recovery.cancelled')));
    }
    if ((await numberAt(call.module, 'queueNonce', newest)) <= queueNonce) {
      const pair = { address: recoverySafe(safe, backup), deployment: encodeRecoverySafeDeployment(safe, backup) };
      if (!(await areDeployed(id, [pair, moduleOf(safe.safe, control.delay)]))) return;
      // Two people may have put the owner back since, or another wallet in its place.
      const { ownerRevoked, replacement } = await accountOf(request.userId);
      if (ownerRevoked && replacement === control.owner) return execute(request);
      if (!(await isSent(request))) return transactions.failUnsent(request, runtime.now(), toEvent(request, 'recovery.cancelled'));
      // Anyone may still send it, so it has not failed. Once it is in the queue, the wallet that replaces the owner now can stop it.
      if (ownerRevoked) await execute(request);
      return;
    }
    const created = (await viewsOf(node, call.module, DELAY_VIEWS, newest)('getTxCreatedAt', [BigInt(queueNonce)])) as bigint;
    const executable = (Number(created) + delay.cooldownSeconds) * 1000;
    if (executableAt?.getTime() !== executable) await transactions.setExecutableAt(id, new Date(executable));
    const time = (await node.blockTime(newest)).getTime();
    if (time > executable + delay.expirationSeconds * 1000) return send(`${id}/expiry`, encodeSkipExpired(call.module));
    const made = encodeExchange(call);
    const isExecutable = time >= executable && (await node.wouldSucceed({ from: safe.platform, ...made, gas: GAS }, newest));
    if (isExecutable) await send(`${id}/exchange`, made);
  };

  const advanceCancellation = async (cancellation: RecoveryTransaction, safe: StoredSafe): Promise<void> => {
    const { signer, transaction } = cancellation;
    const [module, upTo] = [transaction.to, droppedUpTo(cancellation)];
    const finalized = await node.finalizedNumber();
    if (!(await isUnused(cancellation, finalized))) return void (await end(cancellation, 'completed'));
    // The exchange was faster, and nothing counts any more that the former owner has signed; or the request has ended otherwise, and the number is never lowered.
    const hasEnded = (await numberAt(module, 'txNonce', finalized)) >= upTo;
    if (hasEnded || !(await isOwner(safe.safe, signer, finalized))) return void (await end(cancellation, 'failed'));
    const newest = await node.newestNumber();
    // Sent before the request is in the queue, or after it has left, it would fail, and use up its tries.
    const isQueued = (await numberAt(module, 'txNonce', newest)) < upTo && upTo <= (await numberAt(module, 'queueNonce', newest));
    if (isQueued && (await isUnused(cancellation, newest))) await execute(cancellation);
  };

  /** The calls of a transaction that were begun. */
  const callsOf = async ({ id }: RecoveryTransaction): Promise<RecoveryCall[]> => {
    const begun = await Promise.all(
      (Object.keys(PARTS) as RecoveryStep[]).map(async (step): Promise<RecoveryCall[]> => {
        const { tried, job } = await latestTry(id + PARTS[step]);
        if (job === undefined) return [];
        const txHash = job.outcome?.txHash ?? job.attempts.at(-1)?.hash;
        const isStuck = tried === MAX_TRIES && job.outcome?.succeeded === false;
        return [{ step, isStuck, ...(txHash === undefined || txHash === NOT_SENT ? {} : { txHash }) }];
      }),
    );
    return begun.flat();
  };

  return {
    callsOf,
    /**
     * Returns true if a person has to look at a signed transaction: its tries, or those of a call that belongs to it, are used up, its exchange is overdue, or its owner was
     * put back after it was sent, and before it was executed.
     */
    isStuck: async (signed: RecoveryTransaction): Promise<boolean> => {
      if (signed.executableAt !== undefined) {
        if (isOverdue(signed, await node.blockTime(await node.newestNumber()))) return true;
      } else if (signed.kind === 'request' && (await isSent(signed)) && !(await accountOf(signed.userId)).ownerRevoked) return true;
      return (await callsOf(signed)).some((call) => call.isStuck);
    },
    /** Moves a signed transaction on by what can be done now. */
    advance: async (signed: RecoveryTransaction, toEvent: ToEvent): Promise<void> => {
      const safe = await safes.find(signed.accountId);
      if (safe === undefined) throw new Error('a Safe with a recovery is gone');
      if (signed.kind === 'naming') await advanceNaming(signed, safe, toEvent);
      else if (signed.kind === 'request') await advanceRequest(signed, safe, toEvent);
      else await advanceCancellation(signed, safe);
    },
  };
};
