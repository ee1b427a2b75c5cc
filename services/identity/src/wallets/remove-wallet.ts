import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { walletKeyOf } from '../domain/user.ts';
import { refuseRemoval, walletOf } from '../domain/wallet-rules.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { WalletParts } from './parts.ts';

/**
 * Takes wallets from users. One write to the user decides: from there on the wallet signs in and signs decisions for nobody. The same
 * write notes what is left to do: to end the wallet's sessions, then to give its claim back. A killed call is finished by its repeat,
 * or by the next round of any instance.
 */
export type WalletRemoval = {
  /** @throws CodedError NOT_FOUND, LAST_WALLET, WALLET_IS_OWNER, USER_NOT_FOUND */
  remove: (userId: string, address: string) => Promise<void>;
  /** Does what is left to do of a user's removals. */
  finish: (userId: string) => Promise<void>;
  /** Gives the claim of a wallet back that the user did not get after all. */
  abandon: (userId: string, address: string) => Promise<void>;
  close: () => Promise<void>;
};

const INTERVAL_MS = 1000;
const BATCH = 50;

type Parts = WalletParts & { sessions: Pick<Sessions, 'endAllOf'>; now: () => Date; newId: () => string; logger: Logger };

export const startWalletRemoval = ({ users, walletClaims, sessions, now, newId, logger }: Parts): WalletRemoval => {
  const isLeaving = async (userId: string, address: string): Promise<boolean> =>
    (await users.leavingWallets(userId))?.wallets.some((leaving) => walletKeyOf(leaving) === walletKeyOf(address)) ?? false;

  const finish: WalletRemoval['finish'] = async (userId) => {
    const leaving = await users.leavingWallets(userId);
    if (leaving === undefined) return;
    for (const address of leaving.wallets) {
      await sessions.endAllOf({ wallets: [address], partnerId: leaving.partnerId });
      // Another process may have finished meanwhile, and the wallet may be the user's again.
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
  const rounds = startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'removals of wallets were not finished, will be repeated' });

  return {
    finish,
    abandon: async (userId, address) => {
      await users.noteLeaving(userId, address);
      await finish(userId);
    },
    close: rounds.close,
    remove: async (userId, address) => {
      const user = await users.find(userId);
      if (user === undefined) throw new CodedError('USER_NOT_FOUND');
      const refused = refuseRemoval(user, address);
      if (refused === 'NOT_FOUND' && (await isLeaving(userId, address))) return finish(userId);
      if (refused !== undefined) throw new CodedError(refused);
      const wallet = walletOf(user, address)?.address ?? address;
      const event = { id: newId(), type: 'user.wallet_removed', at: now(), payload: { userId, address: wallet } };
      // A twin may have taken it already: what is left to do is the same.
      await users.removeWallet(userId, wallet, event);
      await finish(userId);
    },
  };
};
