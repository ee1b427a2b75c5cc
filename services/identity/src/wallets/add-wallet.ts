import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { newEvent } from '../domain/events.ts';
import { type Wallet, walletKeyOf } from '../domain/user.ts';
import { MAX_WALLETS, walletOf } from '../domain/wallet-rules.ts';
import type { WalletParts } from './parts.ts';
import type { WalletRemoval } from './remove-wallet.ts';

/**
 * Adds a proven wallet to a user. The claim decides which user gets the wallet; then the user's document lists it. Repeating the call
 * finishes the work of a killed one; until then the wallet is claimed and does not sign in as a user.
 * @throws CodedError WALLET_IN_USE, WALLET_LIMIT_REACHED, USER_NOT_FOUND, SERVICE_UNAVAILABLE when it is removed at the same time
 */
export type AddWallet = (userId: string, address: string) => Promise<Wallet>;

type Parts = WalletParts & { removal: Pick<WalletRemoval, 'finish' | 'abandon'>; runtime: Pick<Runtime, 'now' | 'newId'> };

export const createAddWallet =
  ({ users, walletClaims, removal, runtime }: Parts): AddWallet =>
  async (userId, address) => {
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
    if (!(await walletClaims.claim(key, userId, runtime.now()))) throw new CodedError('WALLET_IN_USE');
    const event = newEvent(runtime, { type: 'user.wallet_added', payload: { userId, address } });
    if (await users.addWallet(userId, address, event)) return { address, primary: false };

    const after = await find();
    const added = walletOf(after, address);
    if (added !== undefined) return added;
    await removal.abandon(userId, address);
    // Other wallets were added, or this one was removed, at the same time.
    throw new CodedError(after.wallets.length >= MAX_WALLETS ? 'WALLET_LIMIT_REACHED' : 'SERVICE_UNAVAILABLE');
  };
