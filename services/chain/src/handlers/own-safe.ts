import { CodedError } from '@florin/rpc/errors';
import type { SafeSetUps } from '../accounts/safe-set-ups.ts';
import type { UserAccount } from '../clients/accounts.ts';
import type { SafePlan } from '../domain/account-safe.ts';
import type { Recoveries } from '../recovering/recoveries.ts';
import type { StoredSafe } from '../store/safes.ts';
import type { Withdrawals } from '../withdrawing/withdrawals.ts';
import type { Dependencies } from './dependencies.ts';

/** The account of a user, its Safe as it is stored, and the parts that keep it. */
export type OwnSafe = SafePlan & {
  account: UserAccount;
  stored: StoredSafe | undefined;
  setUps: SafeSetUps;
  withdrawals: Withdrawals;
  recoveries: Recoveries;
};

/** @throws CodedError ACCOUNT_NOT_FOUND, SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const requireOwnSafe = async ({ keeper, accounts }: Pick<Dependencies, 'keeper' | 'accounts'>, userId: string): Promise<OwnSafe> => {
  if (keeper === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
  const account = await accounts.ofUser(userId);
  const [setUps, withdrawals] = [keeper.setUpsOn(account.chainId), keeper.withdrawalsOn(account.chainId)];
  const recoveries = keeper.recoveriesOn(account.chainId);
  if (setUps === undefined || withdrawals === undefined || recoveries === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
  const stored = await setUps.find(account.id);
  return { account, stored, ...(await keeper.planOf(account, stored)), setUps, withdrawals, recoveries };
};

/** Runs work on nodes: what fails there is temporary. @throws CodedError SERVICE_UNAVAILABLE */
export const onNodes = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('SERVICE_UNAVAILABLE', { cause });
  }
};
