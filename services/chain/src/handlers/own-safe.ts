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

type Parts = Pick<Dependencies, 'keeper' | 'accounts'>;

/** The Safe of one of a user's accounts. @throws CodedError SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const safeOf = async ({ keeper }: Parts, account: UserAccount): Promise<OwnSafe> => {
  const { setUpsOn, withdrawalsOn, recoveriesOn, planOf } = keeper ?? {};
  const [setUps, withdrawals] = [setUpsOn?.(account.chainId), withdrawalsOn?.(account.chainId)];
  const recoveries = recoveriesOn?.(account.chainId);
  if (planOf === undefined || setUps === undefined || withdrawals === undefined || recoveries === undefined)
    throw new CodedError('SAFES_NOT_AVAILABLE');
  const stored = await setUps.find(account.id);
  return { account, stored, ...(await planOf(account, stored)), setUps, withdrawals, recoveries };
};

/** @throws CodedError ACCOUNT_NOT_FOUND, SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const requireOwnSafe = async (parts: Parts, userId: string): Promise<OwnSafe> => {
  if (parts.keeper === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
  return safeOf(parts, await parts.accounts.ofUser(userId));
};

/** A user's former accounts, the newest first. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const formerAccounts = async ({ accounts }: Pick<Parts, 'accounts'>, current: UserAccount): Promise<UserAccount[]> => {
  const found: UserAccount[] = [];
  for (let id = current.formerAccountId; id !== undefined; id = found.at(-1)?.formerAccountId) found.push(await accounts.find(id));
  return found;
};

/** One of a user's accounts, current or former; undefined if the user has none of this id. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const ownAccount = async (
  parts: Pick<Parts, 'accounts'>,
  current: UserAccount,
  id: string | undefined,
): Promise<UserAccount | undefined> => (id === current.id ? current : (await formerAccounts(parts, current)).find((one) => one.id === id));

/** Runs work on nodes: what fails there is temporary. @throws CodedError SERVICE_UNAVAILABLE */
export const onNodes = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('SERVICE_UNAVAILABLE', { cause });
  }
};
