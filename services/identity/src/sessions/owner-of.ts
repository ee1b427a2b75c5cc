import type { WalletCaller } from '@florin/rpc/auth';
import type { SessionOwner } from '../store/sessions.ts';
import type { UserStore } from '../store/users.ts';

/** Whose sessions a caller sees and ends: the wallet's own, or those of all wallets of the user, at the partner of the token. */
export const createOwnerOf =
  (users: Pick<UserStore, 'find'>) =>
  async ({ wallet, userId, partnerId }: WalletCaller): Promise<SessionOwner> => {
    const user = userId === undefined ? undefined : await users.find(userId);
    return { wallets: user?.wallets.map(({ address }) => address) ?? [wallet], partnerId };
  };
