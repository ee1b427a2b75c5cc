import { type DelaySettings, isSharedFromBirth, predictSafeAddress, type SafeParties, setUpTransaction } from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { UserAccount } from '../clients/accounts.ts';
import type { SafePlan } from '../domain/account-safe.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import type { SafePlanStore } from '../store/safe-plans.ts';
import type { StoredSafe } from '../store/safes.ts';
import type { Withdrawals } from '../withdrawing/withdrawals.ts';
import { SET_UP_NONCE } from './safe-inspections.ts';
import type { SafeSetUps } from './safe-set-ups.ts';

/** The parts that deploy Safes, verify them and move their money, by chain. */
export type SafeKeeper = {
  /**
   * Returns the second owner and the module of an account's Safe. Those of a Safe that is shared from birth are fixed by the first call, which signs
   * its set-up. Those of another one are what it was set up with, and before the set-up those of new Safes.
   * @param stored undefined before the owner has signed a set-up
   * @throws CodedError SAFES_NOT_AVAILABLE when the second owner of the Safe is none of the configured ones
   */
  planOf: (account: UserAccount, stored: StoredSafe | undefined) => Promise<SafePlan>;
  /** @returns undefined when no node of the chain is configured */
  setUpsOn: (chainId: number) => SafeSetUps | undefined;
  /** @returns undefined when no node of the chain is configured */
  withdrawalsOn: (chainId: number) => Withdrawals | undefined;
};

type Parts = {
  /** The platform's keys, that of new Safes first. */
  cosigners: readonly [KeySigner, ...KeySigner[]];
  delay: DelaySettings;
  plans: SafePlanStore;
  setUps: ReadonlyMap<number, SafeSetUps>;
  withdrawals: ReadonlyMap<number, Withdrawals>;
};

export const createSafeKeeper = ({ cosigners, delay, plans, setUps, withdrawals }: Parts): SafeKeeper => {
  /** Signs the set-up of a Safe that is shared from birth. */
  const sign = async (account: Omit<SafeParties, 'platform'>) => {
    const cosigner = cosigners.find(({ address }) => isSharedFromBirth({ ...account, platform: address }));
    if (cosigner === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
    const platform = cosigner.address;
    const transaction = setUpTransaction({ ...account, platform }, delay, SET_UP_NONCE);
    const signature = await cosigner.signSafeTransaction(transaction);
    return plans.keep({ accountId: account.accountId, platform, delay, signature });
  };
  return {
    planOf: async ({ id: accountId, chainId, safe, owner }, stored) => {
      const account = { accountId, chainId, safe, owner };
      if (predictSafeAddress(accountId, [owner]) !== safe) {
        const { platform, delay: settings, signature } = (await plans.find(accountId)) ?? (await sign(account));
        return { parties: { ...account, platform }, delay: settings, signature };
      }
      // A set-up that has failed is signed anew.
      const isKept = stored !== undefined && (stored.status !== 'deviating' || stored.historyBlock !== undefined);
      const kept = isKept ? { platform: stored.platform, delay: stored.delay ?? delay } : { platform: cosigners[0].address, delay };
      return { parties: { ...account, platform: kept.platform }, delay: kept.delay };
    },
    setUpsOn: (chainId) => setUps.get(chainId),
    withdrawalsOn: (chainId) => withdrawals.get(chainId),
  };
};
