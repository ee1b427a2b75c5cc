import type { ErrorCode } from '@florin/rpc/errors';
import { type User, type Wallet, walletKeyOf } from './user.ts';

/** Most sign-in wallets of one user: several devices and a spare. All of them are read on every decision. */
export const MAX_WALLETS = 10;

export const walletOf = ({ wallets }: Pick<User, 'wallets'>, address: string): Wallet | undefined =>
  wallets.find((wallet) => walletKeyOf(wallet.address) === walletKeyOf(address));

/** The error that prevents removing a wallet from a user; undefined when it can be removed. */
export const removalError = (user: Pick<User, 'wallets'>, address: string): ErrorCode | undefined => {
  const wallet = walletOf(user, address);
  if (wallet === undefined) return 'NOT_FOUND';
  if (user.wallets.length === 1) return 'LAST_WALLET';
  // The primary wallet owns the Safe on chain. Removing it as a sign-in wallet would not change that.
  return wallet.primary ? 'WALLET_IS_OWNER' : undefined;
};
