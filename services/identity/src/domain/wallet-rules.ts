import type { ErrorCode } from '@florin/rpc/errors';
import { type User, type Wallet, walletKeyOf } from './user.ts';

/** Sign-in wallets of one user: some devices and a spare, all of which are read on every decision. */
export const MAX_WALLETS = 10;

export const walletOf = ({ wallets }: Pick<User, 'wallets'>, address: string): Wallet | undefined =>
  wallets.find((wallet) => walletKeyOf(wallet.address) === walletKeyOf(address));

/** Why a wallet cannot be taken from a user; undefined when it can. */
export const refuseRemoval = (user: Pick<User, 'wallets'>, address: string): ErrorCode | undefined => {
  const wallet = walletOf(user, address);
  if (wallet === undefined) return 'NOT_FOUND';
  if (user.wallets.length === 1) return 'LAST_WALLET';
  // It owns the Safe on the chain. As a sign-in wallet it could be taken away, but the account would still be its own.
  return wallet.primary ? 'WALLET_IS_OWNER' : undefined;
};
