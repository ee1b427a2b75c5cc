import { CodedError } from '@florin/rpc/errors';
import { type Wallet, walletKeyOf } from '../domain/user.ts';
import { MAX_WALLETS, walletOf } from '../domain/wallet-rules.ts';
import type { WalletParts } from './parts.ts';
import type { WalletRemoval } from './remove-wallet.ts';

/**
 * Gives a user a wallet that has proven itself. The claim decides whose it is; then the user's document takes it in. A call that is
 * killed in between is finished by its repeat; until then the wallet is nobody else's, and signs in as nobody.
 * @throws CodedError WALLET_IN_USE, WALLET_LIMIT_REACHED, USER_NOT_FOUND, SERVICE_UNAVAILABLE when it is taken away at the same time
 */
export type AddWallet = (userId: string, address: string) => Promise<Wallet>;

type Parts = WalletParts & { removal: Pick<WalletRemoval, 'finish' | 'abandon'>; now: () => Date; newId: () => string };

export const createAddWallet =
  ({ users, walletClaims, removal, now, newId }: Parts): AddWallet =>
  async (userId, address) => {
    const find = async () => {
      const user = await users.find(userId);
      if (user === undefined) throw new CodedError('USER_NOT_FOUND');
      return user;
    };
    const user = await find();
    const known = walletOf(user, address);
    if (known !== undefined) return known;
    // Taken away a moment ago: what is left to do about that must not undo what follows.
    await removal.finish(userId);

    const key = walletKeyOf(address);
    if (user.wallets.length >= MAX_WALLETS) throw new CodedError('WALLET_LIMIT_REACHED');
    if (!(await walletClaims.claim(key, userId, now()))) throw new CodedError('WALLET_IN_USE');
    const event = { id: newId(), type: 'user.wallet_added', at: now(), payload: { userId, address } };
    if (await users.addWallet(userId, address, event)) return { address, primary: false };

    const after = await find();
    const added = walletOf(after, address);
    if (added !== undefined) return added;
    await removal.abandon(userId, address);
    // Others were added, or this one was taken away, at the same time.
    throw new CodedError(after.wallets.length >= MAX_WALLETS ? 'WALLET_LIMIT_REACHED' : 'SERVICE_UNAVAILABLE');
  };
