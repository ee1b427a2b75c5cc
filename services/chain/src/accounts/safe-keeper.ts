import type { SafeParties } from '@florin/evm/safe';
import type { Address } from 'viem';
import type { UserAccount } from '../clients/accounts.ts';
import type { Withdrawals } from '../withdrawing/withdrawals.ts';
import type { SafeSetUps } from './safe-set-ups.ts';

/** The parts that deploy the Safes, verify them and move their money, by chain. */
export type SafeKeeper = {
  partiesOf: (account: UserAccount) => SafeParties;
  /** @returns undefined when no node of the chain is configured */
  setUpsOn: (chainId: number) => SafeSetUps | undefined;
  /** @returns undefined when no node of the chain is configured */
  withdrawalsOn: (chainId: number) => Withdrawals | undefined;
};

type Parts = { platform: Address; setUps: ReadonlyMap<number, SafeSetUps>; withdrawals: ReadonlyMap<number, Withdrawals> };

/** @param platform EIP-55 address of the platform's key, second owner of every Safe */
export const createSafeKeeper = ({ platform, setUps, withdrawals }: Parts): SafeKeeper => ({
  partiesOf: ({ id: accountId, chainId, safe, owner }) => ({ accountId, chainId, safe, owner, platform }),
  setUpsOn: (chainId) => setUps.get(chainId),
  withdrawalsOn: (chainId) => withdrawals.get(chainId),
});
