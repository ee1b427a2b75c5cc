import { isSameActor } from '@florin/rpc/actors';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds } from '@florin/rpc/time';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import type { EventContent } from '../domain/events.ts';
import { walletKeyOf } from '../domain/user.ts';
import { isSameOrder, type RecoveryOrder, type WalletRecovery } from '../domain/wallet-recovery.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import type { WalletRecoveryStore } from '../store/wallet-recoveries.ts';
import type { WalletParts } from '../wallets/parts.ts';
import type { WalletRemoval } from '../wallets/remove-wallet.ts';
import { telling } from '../wallets/telling.ts';

/**
 * Recoveries of lost wallets. The conditional move to `approved` decides between approval and rejection; what follows can be repeated, and is
 * finished by a round of any instance when a process is killed.
 */
export type Recoveries = {
  /** @throws CodedError USER_NOT_FOUND, NOT_FOUND, IDEMPOTENCY_KEY_REUSED */
  order: (id: string, order: RecoveryOrder) => Promise<WalletRecovery>;
  /** @throws CodedError RECOVERY_NOT_FOUND, SELF_APPROVAL, RECOVERY_STATE_CONFLICT */
  approve: (id: string, actor: string) => Promise<WalletRecovery>;
  /** @throws CodedError RECOVERY_NOT_FOUND, RECOVERY_STATE_CONFLICT */
  reject: (id: string, actor: string) => Promise<WalletRecovery>;
  close: () => Promise<void>;
};

const INTERVAL_MS = 2000;
const BATCH = 20;

type Parts = WalletParts & {
  recoveries: WalletRecoveryStore;
  ledger: Pick<LedgerAccountsClient, 'revokeSafeOwner'>;
  removal: Pick<WalletRemoval, 'finish' | 'abandon'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Cooling time of a replacement that the user did not have. */
  coolingMs: number;
  logger: Logger;
};

/**
 * Puts the replacement in the place of the lost wallet, and before that stops the account if the lost wallet owns its Safe: the replacement must not spend
 * what only the lost wallet can move. Can be repeated.
 * @returns why it cannot; undefined when it was done
 */
const replace = async (
  parts: Parts,
  { id, userId, lostWallet, replacementWallet: address }: WalletRecovery,
): Promise<ErrorCode | undefined> => {
  const { users, walletClaims, removal, runtime, coolingMs } = parts;
  // Finishes an earlier removal of the replacement first, so that it cannot undo what follows.
  await removal.finish(userId);
  const user = await users.find(userId);
  if (user === undefined) return 'USER_NOT_FOUND';
  const wallets = { lost: lostWallet, replacement: address, replacementId: id };
  const revokeOwner = () => parts.ledger.revokeSafeOwner(user.accountId, wallets, { requestId: id });
  const [lost, replacement] = [walletOf(user, lostWallet), walletOf(user, address)];
  // Without the lost wallet, a killed call got this far.
  if (lost === undefined && replacement === undefined) return 'NOT_FOUND';
  if (lost === undefined) {
    await revokeOwner();
    return undefined;
  }

  const removed: EventContent = { type: 'user.wallet_removed', payload: { userId, address: lostWallet } };
  const promoted: EventContent[] = lost.primary ? [{ type: 'user.primary_wallet_changed', payload: { userId, address } }] : [];
  const notice = { kind: 'recovery_completed', address: lostWallet } as const;
  if (replacement !== undefined) {
    await revokeOwner();
    if (lost.primary) await users.makePrimary(userId, address, telling(runtime, { kind: 'wallet_made_primary', address }, ...promoted));
    await users.removeWallet(userId, lostWallet, telling(runtime, notice, removed));
  } else {
    const now = runtime.now();
    if (!(await walletClaims.claim(walletKeyOf(address), userId, now))) return 'WALLET_IN_USE';
    await revokeOwner();
    const added: EventContent = { type: 'user.wallet_added', payload: { userId, address } };
    const wallet = { address, primary: lost.primary, approvesFrom: new Date(now.getTime() + coolingMs) };
    await users.replaceWallet(userId, lostWallet, wallet, telling(runtime, notice, added, ...promoted, removed));
  }
  await removal.finish(userId);
  const after = await users.find(userId);
  const isDone = after !== undefined && walletOf(after, lostWallet) === undefined && walletOf(after, address) !== undefined;
  if (!isDone) {
    if (after !== undefined && walletOf(after, address) === undefined) await removal.abandon(userId, address);
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the wallets changed at the same time' });
  }
  return undefined;
};

export const startRecoveries = (parts: Parts): Recoveries => {
  const { recoveries, users, ledger, runtime, logger } = parts;

  const require = async (id: string): Promise<WalletRecovery> => {
    const found = await recoveries.find(id);
    if (found === undefined) throw new CodedError('RECOVERY_NOT_FOUND');
    return found;
  };

  const carryOut = async (recovery: WalletRecovery): Promise<WalletRecovery> => {
    if (recovery.status !== 'approved') return recovery;
    const failureCode = await replace(parts, recovery);
    const updatedAt = runtime.now();
    const to =
      failureCode === undefined
        ? ({ status: 'completed', ownerRevoked: true, updatedAt } as const)
        : ({ status: 'failed', failureCode, updatedAt } as const);
    return (await recoveries.move(recovery.id, 'approved', to)) ?? require(recovery.id);
  };

  const rounds = startRounds({
    round: async (closed) => {
      for (const recovery of await recoveries.page({ limit: BATCH, status: 'approved' })) {
        if (closed()) return;
        await carryOut(recovery);
      }
      for (const { id, userId, lostWallet, replacementWallet, updatedAt } of await recoveries.untold(BATCH)) {
        if (closed()) return;
        const user = await users.find(userId);
        // An erasure has closed the account of a user who is gone.
        const wallets = { lost: lostWallet, replacement: replacementWallet, replacementId: id };
        if (user !== undefined) await ledger.revokeSafeOwner(user.accountId, wallets, { requestId: id });
        await recoveries.move(id, 'completed', { status: 'completed', ownerRevoked: true, updatedAt });
      }
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'carrying out a wallet recovery failed, will be retried',
  });

  return {
    order: async (id, order) => {
      const now = runtime.now();
      const known = await recoveries.find(id);
      if (known === undefined) {
        const user = await users.find(order.userId);
        if (user === undefined) throw new CodedError('USER_NOT_FOUND');
        if (walletOf(user, order.lostWallet) === undefined) throw new CodedError('NOT_FOUND');
        // Before the order, so that no order exists that its user was not told about.
        await users.addNotice(order.userId, telling(runtime, { kind: 'recovery_ordered', address: order.lostWallet }));
      }
      const fresh = {
        ...order,
        id,
        status: 'pending',
        approvedBy: '',
        rejectedBy: '',
        failureCode: '',
        createdAt: now,
        updatedAt: now,
      } as const;
      const stored = known ?? (await recoveries.create(fresh));
      if (!isSameOrder(stored, order)) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return stored;
    },
    approve: async (id, actor) => {
      const { actor: orderedBy } = await require(id);
      if (isSameActor(orderedBy, actor)) throw new CodedError('SELF_APPROVAL');
      const moved = await recoveries.move(id, 'pending', { status: 'approved', approvedBy: actor, updatedAt: runtime.now() });
      const recovery = moved ?? (await require(id));
      if (recovery.status === 'rejected' || !isSameActor(recovery.approvedBy, actor)) throw new CodedError('RECOVERY_STATE_CONFLICT');
      return carryOut(recovery);
    },
    reject: async (id, actor) => {
      await require(id);
      const moved = await recoveries.move(id, 'pending', { status: 'rejected', rejectedBy: actor, updatedAt: runtime.now() });
      const recovery = moved ?? (await require(id));
      if (recovery.status !== 'rejected' || !isSameActor(recovery.rejectedBy, actor)) throw new CodedError('RECOVERY_STATE_CONFLICT');
      return recovery;
    },
    close: rounds.close,
  };
};
