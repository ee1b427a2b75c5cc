import { type Redis, tryLock } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { walletKeyOf } from '../domain/user.ts';

/** Longer than the deadlines of all the calls that a registration makes; after a kill the wallet waits for no longer than this. */
const LIFE_MS = 20_000;

/** Runs work for a wallet unless the same is under way already. @throws CodedError USER_REGISTRATION_IN_PROGRESS */
export type RegistrationLock = <T>(wallet: string, logger: Logger, work: () => Promise<T>) => Promise<T>;

export const registrationLockKey = (wallet: string): string => `florin:identity:registering:${walletKeyOf(wallet)}`;

export const createRegistrationLock = (redis: Redis): RegistrationLock => {
  return async (wallet, logger, work) => {
    const lock = await tryLock(redis, registrationLockKey(wallet), LIFE_MS);
    if (lock === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
    try {
      return await work();
    } finally {
      // It ends by itself; the work's outcome must not depend on it.
      await lock.release().catch((err: unknown) => logger.warn({ err }, 'lock was not released'));
    }
  };
};
