import type { OutboxEvent } from '@florin/data/outbox';
import type { Hex } from '@florin/evm/hex';
import {
  cancellationTransaction,
  type DelaySettings,
  exchangeCall,
  exitAfterExchange,
  exitWithBackup,
  namingTransaction,
  predictDelayModule,
  recoverySafe,
  requestTransaction,
  type SafeTransaction,
  SENTINEL,
  safeTransactionHash,
} from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Address, getAddress, zeroAddress } from 'viem';
import { DELAY_VIEWS } from '../accounts/safe-abi.ts';
import { safeNonce } from '../accounts/safe-nonce.ts';
import type { UserAccount } from '../clients/accounts.ts';
import { type RecoveryEventType, recoveryEvent } from '../domain/events.ts';
import type { RecoveryKind, RecoveryTransaction } from '../domain/recovery.ts';
import { viewsOf } from '../ports/execution-node.ts';
import { createTurns } from '../relaying/take-turns.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import type { StoredSafe } from '../store/safes.ts';
import { jobId } from '../withdrawing/carry-out-withdrawal.ts';
import { type CarryingOut, createCarryingOut } from './carry-out-recovery.ts';
import { createRecoveryHistory } from './recovery-history.ts';

const OFFER_MS = 600_000;

/** Transactions that are looked after in one round. */
const BATCH = 100;

/** Addresses that no Safe accepts as an owner. */
const NOBODY: readonly Address[] = [zeroAddress, SENTINEL];

/** First bytes of the code of a plain wallet that has delegated itself (EIP-7702): its key signs as before. */
const DELEGATED = '0xef0100';

export type RecoveryParts = CarryingOut & {
  /** How long a requested exchange waits, and can be executed then. */
  recovery: Pick<DelaySettings, 'cooldownSeconds' | 'expirationSeconds'>;
  claims: Pick<SafeWithdrawalStore, 'claimNonce' | 'claimantOf' | 'supersede'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

const unavailable = (message: string): CodedError => new CodedError('RECOVERY_NOT_AVAILABLE', { message });

/** A wallet that signed in, and its account. */
type Caller = { userId: string; wallet: string; account: UserAccount };

/** Has a backup key named, and a lost owner exchanged by it and the platform, after a waiting time in which that can be stopped. */
export const createRecoveries = (parts: RecoveryParts) => {
  const { chainId, node, safes, transactions, jobs, claims, accountOf, signerOf, recovery, runtime } = parts;
  const { now, newId } = runtime;
  const carryingOut = createCarryingOut(parts);
  const stuck = new Set<string>();
  const nextUnderWay = createTurns(
    BATCH,
    (after, limit) => transactions.underWay(chainId, after, limit),
    ({ id }) => id,
  );

  const underWay = async (accountId: string, kind: RecoveryKind): Promise<RecoveryTransaction | undefined> =>
    (await transactions.ofAccount(accountId)).find((one) => one.kind === kind && ['submitted', 'signed'].includes(one.status));

  const assertPlain = async (address: Address, of: string): Promise<void> => {
    const code = await node.codeAt(address, await node.newestNumber());
    if (code !== '0x' && !code.startsWith(DELEGATED)) throw unavailable(`${of} must be a plain wallet, not a contract`);
  };

  type Offer = Pick<RecoveryTransaction, 'kind' | 'transaction' | 'signer' | 'provenKey' | 'control' | 'exchange'>;

  /** The Safe of an account, as it was found last. @throws CodedError SAFE_NOT_VERIFIED before its set-up, SAFES_NOT_AVAILABLE */
  const requireSafe = async (accountId: string): Promise<StoredSafe & { delay: DelaySettings }> => {
    const safe = await safes.find(accountId);
    if (safe?.verifiedAt === undefined || safe.delay === undefined) throw new CodedError('SAFE_NOT_VERIFIED');
    if (safe.findings.includes('history_differs')) throw new CodedError('SAFE_NOT_VERIFIED');
    if ((await signerOf(accountId)) === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
    return { ...safe, delay: safe.delay };
  };

  /** A lost key may still be used: only the wallet that two people have put in its place requests and stops. */
  const assertReplacement = ({ ownerRevoked, replacement }: UserAccount, wallet: Address | undefined): void => {
    if (!ownerRevoked) throw unavailable("the account's owner was not reported as lost");
    if (replacement === undefined || replacement !== wallet)
      throw unavailable('only the wallet that has replaced the lost owner can do this');
  };

  const nonceOf = async (safe: Hex): Promise<bigint> => safeNonce(node, safe, await node.newestNumber());

  /** The naming of a backup key by the owner of an account that spends. */
  const naming = async ({ account }: Pick<Caller, 'account'>, backup: Address, nonce?: bigint): Promise<Offer> => {
    if (!account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    const safe = await requireSafe(account.id);
    if (safe.status !== 'verified') throw new CodedError('SAFE_NOT_VERIFIED');
    if (safe.backup !== undefined) throw unavailable('the account has a backup key');
    if ([safe.owner, safe.platform, safe.safe, ...NOBODY].includes(backup))
      throw unavailable('the backup key must be another key than those of the Safe');
    await assertPlain(backup, 'the backup key');
    const { mastercopy } = safe.delay;
    const named = { address: backup, delay: { mastercopy, ...recovery } };
    const control = { owner: safe.owner, delay: exitWithBackup(safe.delay, named.delay), backup: named };
    const modules = [safe.delay, control.delay, named.delay].map((delay) => predictDelayModule(safe.safe, delay));
    if (new Set(modules).size < modules.length) throw unavailable('an exit with the times of a recovery would be its module');
    const transaction = namingTransaction(safe, safe.delay, control, nonce ?? (await nonceOf(safe.safe)));
    return { kind: 'naming', transaction, signer: safe.owner, provenKey: backup, control };
  };

  /** The request for the exchange of an owner that identity has replaced by the wallet of the caller. */
  const request = async ({ account }: Pick<Caller, 'account'>, newOwner: Address, nonce?: bigint): Promise<Offer> => {
    const safe = await requireSafe(account.id);
    const { backup, delay, owner, first } = safe;
    if (backup === undefined) throw unavailable('the account has no backup key');
    assertReplacement(account, newOwner);
    if (account.closed) throw unavailable('the account is closed');
    // The signatures of a former owner would count again.
    const former = (await transactions.ofAccount(account.id)).filter(({ kind, status }) => kind === 'request' && status === 'completed');
    const owners = [owner, first?.owner, ...former.map(({ control }) => control?.owner)];
    if ([...owners, safe.platform, safe.safe, backup.address].includes(newOwner))
      throw unavailable('the new owner must be a wallet that has never owned the Safe, and not the backup key');
    await assertPlain(newOwner, 'the new owner');
    const control = { owner, delay, backup };
    const call = exchangeCall({ ...safe, firstOwner: account.owner }, control, newOwner);
    const block = await node.newestNumber();
    const queueNonce = Number(await viewsOf(node, call.module, DELAY_VIEWS, block)('queueNonce'));
    const pair = recoverySafe(safe, backup.address);
    const transaction = requestTransaction(safe, backup.address, call, nonce ?? (await nonceOf(pair)));
    const exchanged = { ...control, owner: newOwner, delay: exitAfterExchange(delay) };
    return {
      kind: 'request',
      transaction,
      signer: backup.address,
      provenKey: newOwner,
      control: exchanged,
      exchange: { call, queueNonce },
    };
  };

  /** The stop of a request that waits. */
  const cancellation = async ({ account }: Pick<Caller, 'account'>, wallet: Address | undefined, nonce?: bigint): Promise<Offer> => {
    const safe = await requireSafe(account.id);
    // Two people may have put the owner back while the exchange waits.
    if (account.ownerRevoked || wallet !== safe.owner) assertReplacement(account, wallet);
    const waiting = await underWay(account.id, 'request');
    if (waiting?.executableAt === undefined || waiting.exchange === undefined) throw unavailable('no exchange of the owner waits');
    const { call, queueNonce } = waiting.exchange;
    const transaction = cancellationTransaction(safe, call.module, BigInt(queueNonce + 1), nonce ?? (await nonceOf(safe.safe)));
    return { kind: 'cancellation', transaction, signer: safe.owner };
  };

  /** The transaction as it must be if it is offered now, with the nonce that it has. @throws CodedError by which it is not */
  const again = async ({ kind, userId, wallet, control, transaction: { nonce } }: RecoveryTransaction): Promise<SafeTransaction> => {
    const account = await accountOf(userId);
    const named = control?.backup?.address;
    if (kind === 'cancellation') return (await cancellation({ account }, wallet, nonce)).transaction;
    if (control === undefined || named === undefined) throw new Error('a naming and a request have a control with a backup key');
    return (kind === 'naming' ? await naming({ account }, named, nonce) : await request({ account }, control.owner, nonce)).transaction;
  };

  const keep = async ({ userId, wallet, account }: Caller, offered: Offer): Promise<RecoveryTransaction> => {
    if ((await underWay(account.id, offered.kind)) !== undefined) throw unavailable('a transaction of this kind is under way');
    const createdAt = now();
    const kept = {
      ...offered,
      id: newId(),
      accountId: account.id,
      userId,
      wallet: getAddress(wallet),
      status: 'offered',
      createdAt,
    } as const;
    const offer = { ...kept, expiresAt: new Date(createdAt.getTime() + OFFER_MS) };
    await transactions.add(offer);
    return offer;
  };

  const eventOf = (transaction: RecoveryTransaction, type: RecoveryEventType): OutboxEvent =>
    recoveryEvent(transaction, type, newId(), now());

  /** Claims the nonce of a transaction. A stop has to be in time: a withdrawal with its nonce that was not sent gives way. */
  const claim = async (submitted: RecoveryTransaction): Promise<boolean> => {
    if (await claims.claimNonce(submitted)) return true;
    const withdrawal = submitted.kind === 'cancellation' ? await claims.claimantOf(submitted.transaction) : undefined;
    if (withdrawal === undefined || (await jobs.find(jobId(withdrawal.id, 1))) !== undefined) return false;
    return (await claims.supersede(withdrawal)) && claims.claimNonce(submitted);
  };

  /** submitted → signed, or failed. @throws CodedError by which the platform does not sign */
  const sign = async (submitted: RecoveryTransaction): Promise<void> => {
    const { transaction, kind } = submitted;
    const refuse = async (cause: unknown): Promise<never> => {
      if (cause instanceof CodedError && cause.code !== 'SERVICE_UNAVAILABLE' && cause.code !== 'UPSTREAM_TIMEOUT')
        await transactions.move(submitted, 'failed', { endedAt: now() });
      throw cause;
    };
    const expected = await again(submitted).catch(refuse);
    if (safeTransactionHash(expected) !== safeTransactionHash(transaction)) return refuse(unavailable('the Safe has changed'));
    const nonce = await nonceOf(transaction.safe);
    if (nonce < transaction.nonce) throw new CodedError('SERVICE_UNAVAILABLE');
    if (nonce > transaction.nonce || !(await claim(submitted))) return refuse(new CodedError('WITHDRAWAL_IN_PROGRESS'));
    await transactions.move(submitted, 'signed', {}, kind === 'request' ? eventOf(submitted, 'recovery.requested') : undefined);
  };

  const moveOn = async (id: string): Promise<RecoveryTransaction> => {
    const current = await transactions.find(id);
    if (current === undefined) throw new CodedError('NOT_FOUND');
    if (current.status === 'submitted') {
      await sign(current);
      return moveOn(id);
    }
    if (current.status !== 'signed') return current;
    await carryingOut.advance(current, eventOf);
    return (await transactions.find(id)) ?? current;
  };

  return {
    /**
     * Freeze a transaction for the user to sign.
     * @throws CodedError ACCOUNT_NOT_ACTIVE, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED
     */
    offerNaming: async (caller: Caller, backup: Address) => keep(caller, await naming(caller, backup)),
    offerRequest: async (caller: Caller) => keep(caller, await request(caller, getAddress(caller.wallet))),
    offerCancellation: async (caller: Caller) => keep(caller, await cancellation(caller, getAddress(caller.wallet))),
    find: transactions.find,
    /**
     * Carries an offered transaction out with the user's signatures, which the caller has verified. A repeat returns it as it stands.
     * @throws CodedError the code by which the platform does not sign
     */
    submit: async (
      offered: RecoveryTransaction,
      signed: Pick<RecoveryTransaction, 'signature' | 'proof'>,
    ): Promise<RecoveryTransaction> => {
      if (offered.status === 'offered') {
        if (offered.expiresAt <= now()) throw unavailable('the offer has expired');
        await transactions.move(offered, 'submitted', signed);
      }
      return moveOn(offered.id);
    },
    /** The newest request of an account that has been signed; undefined before. */
    latestRequest: async (accountId: string): Promise<RecoveryTransaction | undefined> =>
      (await transactions.ofAccount(accountId)).findLast(({ kind, status }) => kind === 'request' && status !== 'failed'),
    historyOf: createRecoveryHistory({ safes, transactions, callsOf: carryingOut.callsOf, now }),
    /** Moves everything on by what can be done now. Rejects when a node, the ledger or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      // Another process may have ended them.
      for (const id of stuck) if ((await transactions.find(id))?.status !== 'signed') stuck.delete(id);
      await workOnEach(await nextUnderWay(), closed, async ({ id }) => {
        const moved = await moveOn(id).catch(unlessDecided);
        if (moved?.status === 'signed' && (await carryingOut.isStuck(moved))) stuck.add(id);
        else stuck.delete(id);
      });
    },
    /** Signed transactions that a person has to look at. */
    stuck: (): number => stuck.size,
  };
};

/** Passes on what is temporary: what the platform does not sign has been recorded. */
const unlessDecided = (error: unknown): undefined => {
  if (!(error instanceof CodedError) || error.code === 'SERVICE_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT') throw error;
  return undefined;
};

export type Recoveries = ReturnType<typeof createRecoveries>;
