import type { DelaySettings, SafeParties } from '@florin/evm/safe';
import type { Address } from 'viem';
import type { UserAccount } from '../clients/accounts.ts';
import type { StoredSafe } from '../store/safes.ts';
import type { Withdrawals } from '../withdrawing/withdrawals.ts';
import type { SafeSetUps } from './safe-set-ups.ts';

/** The parties of a Safe, and how its Delay module is set up. */
export type SafePlan = { parties: SafeParties; delay: DelaySettings };

/** The parts that deploy Safes, verify them and move their money, by chain. */
export type SafeKeeper = {
  /**
   * Returns the second owner and the module of an account's Safe: those that it was set up with, and before the set-up those of new Safes.
   * @param stored undefined before the owner has signed a set-up
   */
  planOf: (account: UserAccount, stored: StoredSafe | undefined) => SafePlan;
  /** @returns undefined when no node of the chain is configured */
  setUpsOn: (chainId: number) => SafeSetUps | undefined;
  /** @returns undefined when no node of the chain is configured */
  withdrawalsOn: (chainId: number) => Withdrawals | undefined;
};

type Parts = {
  /** EIP-55 address of the key that is the second owner of new Safes. */
  platform: Address;
  delay: DelaySettings;
  setUps: ReadonlyMap<number, SafeSetUps>;
  withdrawals: ReadonlyMap<number, Withdrawals>;
};

export const createSafeKeeper = ({ platform, delay, setUps, withdrawals }: Parts): SafeKeeper => ({
  planOf: ({ id: accountId, chainId, safe, owner }, stored) => {
    // A set-up that has failed is signed anew.
    const isKept = stored !== undefined && (stored.status !== 'deviating' || stored.historyBlock !== undefined);
    const kept = isKept ? { platform: stored.platform, delay: stored.delay ?? delay } : { platform, delay };
    return { parties: { accountId, chainId, safe, owner, platform: kept.platform }, delay: kept.delay };
  },
  setUpsOn: (chainId) => setUps.get(chainId),
  withdrawalsOn: (chainId) => withdrawals.get(chainId),
});
