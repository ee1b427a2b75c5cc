import {
  type CollectionTerms,
  type DelaySettings,
  isSharedFromBirth,
  predictSafeAddress,
  type SafeParties,
  setUpTransaction,
} from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { Address } from 'viem';
import type { UserAccount } from '../clients/accounts.ts';
import type { CollectionAllowance } from '../collecting/collection-allowances.ts';
import type { SafePlan } from '../domain/account-safe.ts';
import type { Recoveries } from '../recovering/recoveries.ts';
import type { SafePlanStore, SignedPlan } from '../store/safe-plans.ts';
import type { StoredSafe } from '../store/safes.ts';
import type { Withdrawals } from '../withdrawing/withdrawals.ts';
import type { PlatformOwner } from './platform-owners.ts';
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
  /**
   * Returns what may be collected from a Safe today.
   * @throws Error when a node fails, or two disagree
   */
  allowancesOf: (safe: StoredSafe) => Promise<CollectionAllowance[]>;
  /** @returns undefined when no node of the chain is configured */
  setUpsOn: (chainId: number) => SafeSetUps | undefined;
  /** @returns undefined when no node of the chain is configured */
  withdrawalsOn: (chainId: number) => Withdrawals | undefined;
  /** @returns undefined when no node of the chain is configured */
  recoveriesOn: (chainId: number) => Recoveries | undefined;
};

type Parts = {
  /** Second owners of Safes on a chain, that of Safes that are not shared from birth first. */
  ownersOn: (chainId: number) => readonly PlatformOwner[];
  /** EIP-55 address of the first of them. */
  platform: Address;
  delay: DelaySettings;
  /** Returns the terms for collecting from new Safes on a chain; undefined: nothing is collected. */
  termsOn: (chainId: number) => CollectionTerms | undefined;
  plans: SafePlanStore;
  setUps: ReadonlyMap<number, SafeSetUps>;
  withdrawals: ReadonlyMap<number, Withdrawals>;
  recoveries: ReadonlyMap<number, Recoveries>;
  allowancesOf: SafeKeeper['allowancesOf'];
};

export const createSafeKeeper = ({
  ownersOn,
  platform: newest,
  delay,
  termsOn,
  plans,
  setUps,
  withdrawals,
  recoveries,
  allowancesOf,
}: Parts): SafeKeeper => {
  type Account = Omit<SafeParties, 'platform'>;

  /** How Safes on a chain are set up now. */
  const settingsOn = (chainId: number): DelaySettings => {
    const terms = termsOn(chainId);
    return terms === undefined ? delay : { ...delay, terms };
  };

  const sign = async (account: Account, by: PlatformOwner, settings: DelaySettings): Promise<SignedPlan> => {
    const platform = by.address;
    const { signature, isContract } = await by.sign(setUpTransaction({ ...account, platform }, settings, SET_UP_NONCE));
    const signers = isContract === true ? { signers: await by.signers() } : {};
    return { accountId: account.accountId, platform, delay: settings, signature, ...signers };
  };

  /** The set-up of a Safe that is shared from birth, with a signature that counts now. */
  const signedPlan = async (account: Account): Promise<SignedPlan> => {
    const known = await plans.find(account.accountId);
    const owners = ownersOn(account.chainId);
    if (known === undefined) {
      const by = owners.find(({ address }) => isSharedFromBirth({ ...account, platform: address }));
      if (by === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
      return plans.keep(await sign(account, by, settingsOn(account.chainId)));
    }
    const by = owners.find(({ address }) => address === known.platform);
    if (known.signers === undefined || by === undefined) return known;
    if (String(await by.signers()) === String(known.signers)) return known;
    const renewed = await sign(account, by, known.delay);
    await plans.renew(renewed);
    return renewed;
  };

  return {
    planOf: async ({ id: accountId, chainId, safe, owner: first }, stored) => {
      const account = { accountId, chainId, safe, owner: first };
      if (stored?.first !== undefined) {
        const { owner, platform, delay: changed = delay, backup } = stored;
        return { parties: { ...account, owner, platform }, delay: changed, ...(backup === undefined ? {} : { backup }) };
      }
      if (predictSafeAddress(accountId, [first]) !== safe) {
        const { platform, delay: settings, signature, signers } = await signedPlan(account);
        const signed = { owner: platform, signature, ...(signers === undefined ? {} : { isContract: true }) };
        return { parties: { ...account, platform }, delay: settings, signature: signed };
      }
      // A set-up that has failed is signed anew.
      const isKept = stored !== undefined && (stored.status !== 'deviating' || stored.historyBlock !== undefined);
      const kept = isKept ? { platform: stored.platform, delay: stored.delay ?? delay } : { platform: newest, delay: settingsOn(chainId) };
      return { parties: { ...account, platform: kept.platform }, delay: kept.delay };
    },
    allowancesOf,
    setUpsOn: (chainId) => setUps.get(chainId),
    withdrawalsOn: (chainId) => withdrawals.get(chainId),
    recoveriesOn: (chainId) => recoveries.get(chainId),
  };
};
