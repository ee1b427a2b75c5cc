import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { User, Wallet } from '../domain/user.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import type { WalletParts } from './parts.ts';
import { telling } from './telling.ts';

/**
 * Makes a wallet the primary one of its user. Can be repeated.
 * @throws CodedError NOT_FOUND
 */
export type MakePrimary = (user: Pick<User, 'id' | 'wallets'>, address: string) => Promise<Wallet>;

type Parts = { users: Pick<WalletParts['users'], 'find' | 'makePrimary'>; runtime: Pick<Runtime, 'now' | 'newId'> };

export const createMakePrimary =
  ({ users, runtime }: Parts): MakePrimary =>
  async ({ id: userId, wallets }, address) => {
    const wallet = walletOf({ wallets }, address);
    if (wallet === undefined) throw new CodedError('NOT_FOUND');
    if (wallet.primary) return wallet;
    const event = { type: 'user.primary_wallet_changed', payload: { userId, address } } as const;
    const changed = await users.makePrimary(userId, address, telling(runtime, { kind: 'wallet_made_primary', address }, event));
    const after = walletOf({ wallets: (await users.find(userId))?.wallets ?? [] }, address);
    // The wallet was removed at the same time.
    if (after === undefined) throw new CodedError('NOT_FOUND');
    if (!changed && !after.primary) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the wallets changed at the same time' });
    return after;
  };
