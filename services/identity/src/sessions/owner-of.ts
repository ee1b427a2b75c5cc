import type { WalletCaller } from '@florin/rpc/auth';
import type { User } from '../domain/user.ts';
import type { SessionOwner } from '../store/sessions.ts';
import type { UserStore } from '../store/users.ts';
import type { WalletEpochStore } from '../store/wallet-epochs.ts';

/** The owner of the sessions of all wallets of a user, at the user's partner. */
export const createOwnerOfUser =
  (epochs: Pick<WalletEpochStore, 'currentOf'>) =>
  async ({ wallets, partnerId }: Pick<User, 'wallets' | 'partnerId'>): Promise<SessionOwner> => {
    const current = await epochs.currentOf(wallets.map(({ address }) => ({ wallet: address, partnerId })));
    return { wallets: wallets.map(({ address }, index) => ({ address, epoch: current[index] ?? 0 })), partnerId };
  };

/** The owner whose sessions a caller sees and ends, at the partner of the token: the wallet, or all wallets of the user. */
export const createOwnerOf =
  (users: Pick<UserStore, 'find'>, ownerOfUser: ReturnType<typeof createOwnerOfUser>) =>
  async ({ wallet, userId, partnerId }: WalletCaller): Promise<SessionOwner> => {
    const user = userId === undefined ? undefined : await users.find(userId);
    return ownerOfUser({ wallets: user?.wallets ?? [{ address: wallet, primary: true }], partnerId });
  };
