import type { WalletCaller } from '@florin/rpc/auth';
import type { SessionOwner } from '../store/sessions.ts';
import type { UserStore } from '../store/users.ts';
import type { WalletEpochStore } from '../store/wallet-epochs.ts';

/** The owner whose sessions a caller sees and ends, at the partner of the token: the wallet, or all wallets of the user. */
export const createOwnerOf =
  (users: Pick<UserStore, 'find'>, epochs: Pick<WalletEpochStore, 'currentOf'>) =>
  async ({ wallet, userId, partnerId }: WalletCaller): Promise<SessionOwner> => {
    const user = userId === undefined ? undefined : await users.find(userId);
    const addresses = user?.wallets.map(({ address }) => address) ?? [wallet];
    const current = await epochs.currentOf(addresses.map((address) => ({ wallet: address, partnerId })));
    return { wallets: addresses.map((address, index) => ({ address, epoch: current[index] ?? 0 })), partnerId };
  };
