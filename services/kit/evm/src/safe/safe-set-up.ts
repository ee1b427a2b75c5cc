import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { acceptTerms } from './collector.ts';
import { type DelaySettings, predictDelayModule } from './delay-module.ts';
import { SAFE_CONTRACTS } from './deployments.ts';
import { predictSafeAddress, safeInitializer, saltNonceOf } from './safe-address.ts';
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
  /** The platform's key or Safe, second owner. */
  platform: Address;
};

/** Returns true if the initializer of a Safe names both owners: its address commits to them, and it has never been in the hands of one of them alone. */
export const isSharedFromBirth = ({ accountId, safe, owner, platform }: Omit<SafeParties, 'chainId'>): boolean =>
  predictSafeAddress(accountId, [owner, platform]) === safe;

/** The call that deploys an account's Safe at its predicted address. Anyone may make it; it reverts when the Safe exists. */
export const encodeSafeDeployment = (parties: Omit<SafeParties, 'chainId'>): ContractCall => {
  const { accountId, owner, platform } = parties;
  const owners = isSharedFromBirth(parties) ? [owner, platform] : [owner];
  return {
    to: SAFE_CONTRACTS.proxyFactory.address,
    data: encodeFunctionData({
      abi: SAFE,
      functionName: 'createProxyWithNonce',
      args: [SAFE_CONTRACTS.l2Singleton.address, safeInitializer(owners), saltNonceOf(accountId)],
    }),
  };
};

/** The call by which a Safe enables a module, or a Delay module its user. */
export const encodeEnableModule = (to: Address, module: Address): ContractCall => ({
  to,
  data: encodeFunctionData({ abi: SAFE, functionName: 'enableModule', args: [module] }),
});

/**
 * The transaction by which a Safe becomes an account's: its Delay module, which the user alone may use, is enabled, and the terms of
 * collection are accepted. Both owners sign it, before or
 * after the Safe is deployed. The user alone signs that of a Safe that has been the user's alone until then: by it the platform becomes the
 * second owner, both of whom must sign. Both proxies must exist when it is executed.
 */
export const setUpTransaction = (parties: SafeParties, settings: DelaySettings, nonce: bigint): SafeTransaction => {
  const { chainId, safe, owner, platform } = parties;
  const module = predictDelayModule(safe, settings);
  const share = encodeFunctionData({ abi: SAFE, functionName: 'addOwnerWithThreshold', args: [platform, 2n] });
  const calls = encodeMultiSend([
    encodeEnableModule(safe, module),
    encodeEnableModule(module, owner),
    ...(settings.terms === undefined ? [] : acceptTerms(settings.terms)),
    ...(isSharedFromBirth(parties) ? [] : [{ to: safe, data: share }]),
  ]);
  return { chainId, safe, ...calls, operation: 1, safeTxGas: 0n, nonce };
};
