import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type DelaySettings, predictDelayModule } from './delay-module.ts';
import { SAFE_CONTRACTS } from './deployments.ts';
import { safeInitializer, saltNonceOf } from './safe-address.ts';
import { type ContractCall, encodeMultiSend } from './safe-call.ts';
import type { SafeTransaction } from './safe-transaction.ts';

const SAFE = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
  'function enableModule(address module)',
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
]);

/** The parties of an account's Safe. */
export type SafeParties = {
  chainId: number;
  accountId: string;
  safe: Address;
  /** The user's wallet. */
  owner: Address;
  /** The platform's key, second owner. */
  platform: Address;
};

/** The call that deploys an account's Safe at its predicted address, with its first owner only. Anyone may make it; it reverts when the Safe exists. */
export const encodeSafeDeployment = ({ accountId, owner }: Pick<SafeParties, 'accountId' | 'owner'>): ContractCall => ({
  to: SAFE_CONTRACTS.proxyFactory.address,
  data: encodeFunctionData({
    abi: SAFE,
    functionName: 'createProxyWithNonce',
    args: [SAFE_CONTRACTS.l2Singleton.address, safeInitializer([owner], 1n), saltNonceOf(accountId)],
  }),
});

/**
 * The transaction by which a Safe of one owner becomes an account's: its Delay module, which the owner alone may use, is enabled, and the platform
 * becomes the second owner, both of whom must sign. The owner signs it, before or after the Safe is deployed. Both proxies must exist when it is
 * executed.
 */
export const setUpTransaction = (
  { chainId, safe, owner, platform }: SafeParties,
  settings: DelaySettings,
  nonce: bigint,
): SafeTransaction => {
  const module = predictDelayModule(safe, settings);
  const enable = (target: Address): Hex => encodeFunctionData({ abi: SAFE, functionName: 'enableModule', args: [target] });
  const calls = encodeMultiSend([
    { to: safe, data: enable(module) },
    { to: module, data: enable(owner) },
    { to: safe, data: encodeFunctionData({ abi: SAFE, functionName: 'addOwnerWithThreshold', args: [platform, 2n] }) },
  ]);
  return { chainId, safe, ...calls, operation: 1, safeTxGas: 0n, nonce };
};
