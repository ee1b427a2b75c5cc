import type { WalletCaller } from '@florin/rpc/auth';
import type { SessionOwner } from '../store/sessions.ts';
import type { UserStore } from '../store/users.ts';

/** The owner whose sessions a caller sees and ends, at the partner of the token: the wallet, or all wallets of the user. */
export const createOwnerOf =
  (users: Pick<UserStore, 'find'>) =>
  async ({ wallet, userId, partnerId }: WalletCaller): Promise<SessionOwner> => {
    const user = userId === undefined ? undefined : await users.find(userId);
    return { wallets: user?.wallets.map(({ address }) => address) ?? [wallet], partnerId };
  };
