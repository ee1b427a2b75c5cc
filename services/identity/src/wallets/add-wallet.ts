import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Wallet, walletKeyOf } from '../domain/user.ts';
import { MAX_WALLETS, walletOf } from '../domain/wallet-rules.ts';
import type { WalletParts } from './parts.ts';
import type { WalletRemoval } from './remove-wallet.ts';
import { telling } from './telling.ts';

/**
 * Adds a proven wallet to a user. The claim decides which user gets the wallet; then the user's document lists it. Repeating the call
 * finishes the work of a killed one; until then the wallet is claimed and does not sign in as a user.
 * @param approvedBy wallet of the user that approved it, EIP-55; it must still be one when the wallet is listed
 * @throws CodedError WALLET_IN_USE, WALLET_LIMIT_REACHED, USER_NOT_FOUND, INVALID_APPROVAL when the approving wallet was removed,
 * SERVICE_UNAVAILABLE when the wallet is removed at the same time
 */
export type AddWallet = (userId: string, address: string, approvedBy: string) => Promise<Wallet>;

type Parts = WalletParts & {
  removal: Pick<WalletRemoval, 'finish' | 'abandon'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  coolingMs: number;
};

export const createAddWallet =
  ({ users, walletClaims, removal, runtime, coolingMs }: Parts): AddWallet =>
  async (userId, address, approvedBy) => {
    const find = async () => {
      const user = await users.find(userId);
      if (user === undefined) throw new CodedError('USER_NOT_FOUND');
      return user;
    };
    const user = await find();
    const known = walletOf(user, address);
    if (known !== undefined) return known;
    // Finishes a removal of the wallet first, so that it cannot undo what follows.
    await removal.finish(userId);

    const key = walletKeyOf(address);
    if (user.wallets.length >= MAX_WALLETS) throw new CodedError('WALLET_LIMIT_REACHED');
    const now = runtime.now();
    if (!(await walletClaims.claim(key, userId, now))) throw new CodedError('WALLET_IN_USE');
    const wallet = { address, approvesFrom: new Date(now.getTime() + coolingMs) };
    const told = telling(runtime, { kind: 'wallet_added', address }, { type: 'user.wallet_added', payload: { userId, address } });
    if (await users.addWallet(userId, wallet, approvedBy, told)) return { ...wallet, primary: false };

    const after = await find();
    const added = walletOf(after, address);
    if (added !== undefined) return added;
    await removal.abandon(userId, address);
    if (walletOf(after, approvedBy) === undefined) throw new CodedError('INVALID_APPROVAL');
    // Other wallets were added, or this one was removed, at the same time.
    throw new CodedError(after.wallets.length >= MAX_WALLETS ? 'WALLET_LIMIT_REACHED' : 'SERVICE_UNAVAILABLE');
  };
