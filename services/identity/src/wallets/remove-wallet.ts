import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds } from '@florin/rpc/time';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import { type User, type Wallet, walletKeyOf } from '../domain/user.ts';
import { removalError, walletOf } from '../domain/wallet-rules.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { WalletParts } from './parts.ts';
import { telling } from './telling.ts';

/**
 * Removes wallets from users. One write to the user decides: from then on the wallet neither signs in nor signs decisions. The same
 * write notes what remains to be done: ending the sessions of the wallet, then releasing its claim. A repeat, or the next round of any
 * instance, finishes the work of a killed call.
 */
export type WalletRemoval = {
  /**
   * @param by the wallet that the user signed in with
   * @param approve uses up the approval of a wallet of the user; called once nothing else prevents the removal
   * @throws CodedError NOT_FOUND, LAST_WALLET, WALLET_IS_OWNER, WALLET_COOLING, and what `approve` throws
   */
  remove: (user: User, address: string, by: Wallet, approve: () => Promise<{ complete: () => Promise<void> }>) => Promise<void>;
  /** Finishes the removals of a user. */
  finish: (userId: string) => Promise<void>;
  /** Releases the claim of a wallet that was not added in the end. */
  abandon: (userId: string, address: string) => Promise<void>;
  close: () => Promise<void>;
};

const INTERVAL_MS = 1000;
const BATCH = 50;

type Parts = WalletParts & {
  ledger: Pick<LedgerAccountsClient, 'ownerOf'>;
  sessions: Pick<Sessions, 'endAllOf'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Logger;
};

export const startWalletRemoval = ({ users, walletClaims, ledger, sessions, runtime, logger }: Parts): WalletRemoval => {
  const isLeaving = async (userId: string, address: string): Promise<boolean> =>
    (await users.leavingWallets(userId))?.wallets.some((leaving) => walletKeyOf(leaving) === walletKeyOf(address)) ?? false;

  const finish: WalletRemoval['finish'] = async (userId) => {
    const leaving = await users.leavingWallets(userId);
    if (leaving === undefined) return;
    for (const address of leaving.wallets) {
      const claim = await walletClaims.claimOf(walletKeyOf(address), userId);
      // Without a claim, another process has done the rest; with a newer one, the user has added the wallet again.
      if (claim !== undefined && (await isLeaving(userId, address))) {
        await sessions.endAllOf({ wallet: address, partnerId: leaving.partnerId }, claim);
      }
      // Another process may have finished the removal, and the user may have added the wallet again.
      await walletClaims.releaseIf(walletKeyOf(address), userId, () => isLeaving(userId, address));
      await users.forgetLeaving(userId, address);
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    for (const userId of await users.withLeavingWallets(BATCH)) {
      if (closed()) return;
      await finish(userId);
    }
  };
  const rounds = startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'finishing wallet removals failed, will be retried' });

  return {
    finish,
    abandon: async (userId, address) => {
      await users.noteLeaving(userId, address);
      await finish(userId);
    },
    close: rounds.close,
    remove: async (user, address, by, approve) => {
      const { id: userId } = user;
      const error = removalError(user, address, by, runtime.now());
      if (error === 'NOT_FOUND' && (await isLeaving(userId, address))) return finish(userId);
      if (error !== undefined) throw new CodedError(error);
      // Without it nobody could move what the Safe holds. A lost one is replaced by a recovery, which stops the account.
      const owner = await ledger.ownerOf(user.accountId, { requestId: runtime.newId() });
      if (owner !== undefined && walletKeyOf(owner) === walletKeyOf(address)) throw new CodedError('WALLET_IS_OWNER');
      const wallet = walletOf(user, address)?.address ?? address;
      const approved = await approve().catch(async (cause: unknown) => {
        // A repeat at the same time may have removed it meanwhile, and with that have used the approval up.
        const current = await users.find(userId);
        if (current === undefined || walletOf(current, wallet) !== undefined) throw cause;
        return undefined;
      });
      if (approved === undefined) return finish(userId);
      const event = { type: 'user.wallet_removed', payload: { userId, address: wallet } } as const;
      // A concurrent call may have removed it; the remaining work is the same.
      await users.removeWallet(userId, wallet, telling(runtime, { kind: 'wallet_removed', address: wallet }, event));
      await finish(userId);
      await approved.complete();
    },
  };
};
