import type { ErrorCode } from '@florin/rpc/errors';
import { type User, type Wallet, walletKeyOf } from './user.ts';

/** Most sign-in wallets of one user: several devices and a spare. All of them are read on every decision. */
export const MAX_WALLETS = 10;

export const walletOf = ({ wallets }: Pick<User, 'wallets'>, address: string): Wallet | undefined =>
  wallets.find((wallet) => walletKeyOf(wallet.address) === walletKeyOf(address));

/** Reports whether the cooling time of a wallet is not over. */
export const isCooling = ({ approvesFrom }: Pick<Wallet, 'approvesFrom'>, now: Date): boolean => approvesFrom != null && now < approvesFrom;

/**
 * The error that prevents a user, signed in with the wallet `by`, from removing a wallet; undefined when it can be removed. A cooling wallet may
 * belong to a thief, who must not remove the wallets of the owner.
 */
export const removalError = (user: Pick<User, 'wallets'>, address: string, by: Wallet, now: Date): ErrorCode | undefined => {
  const wallet = walletOf(user, address);
  if (wallet === undefined) return 'NOT_FOUND';
  if (user.wallets.length === 1) return 'LAST_WALLET';
  // Removing the owner of the Safe as a sign-in wallet would not change the Safe.
  if (wallet.primary) return 'WALLET_IS_OWNER';
  return isCooling(by, now) && walletKeyOf(by.address) !== walletKeyOf(address) ? 'WALLET_COOLING' : undefined;
};
