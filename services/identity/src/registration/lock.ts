import { type Redis, tryLock } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { walletKeyOf } from '../domain/user.ts';

/** Lifetime of a lock: longer than the deadlines of all calls of a registration. After a kill the wallet waits at most this long. */
const LIFE_MS = 20_000;

/** Runs work for a wallet unless work for it is running. @throws CodedError USER_REGISTRATION_IN_PROGRESS */
export type RegistrationLock = <T>(wallet: string, logger: Logger, work: () => Promise<T>) => Promise<T>;

export const registrationLockKey = (wallet: string): string => `florin:identity:registering:${walletKeyOf(wallet)}`;

export const createRegistrationLock = (redis: Redis, newId: () => string): RegistrationLock => {
  return async (wallet, logger, work) => {
    const lock = await tryLock(redis, registrationLockKey(wallet), { ttlMs: LIFE_MS, token: newId() });
    if (lock === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
    try {
      return await work();
    } finally {
      // The lock expires; the result of the work must not depend on releasing it.
      await lock.release().catch((err: unknown) => logger.warn({ err }, 'releasing the lock failed'));
    }
  };
};
