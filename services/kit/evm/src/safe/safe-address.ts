import {
  type Address,
  concat,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import { SAFE_CONTRACTS } from './deployments.ts';
import { SAFE_PROXY_CREATION_CODE } from './safe-proxy-code.ts';

export const SAFE_SETUP = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);

/** The call that makes a fresh proxy a Safe whose owners must all sign, and nothing else: no module, no guard, no refund of gas. */
export const safeInitializer = (owners: readonly Address[]): Hex =>
  encodeFunctionData({
    abi: SAFE_SETUP,
    functionName: 'setup',
    args: [owners, BigInt(owners.length), zeroAddress, '0x', SAFE_CONTRACTS.fallbackHandler.address, zeroAddress, 0n, zeroAddress],
  });

/**
 * Where `SafeProxyFactory.createProxyWithNonce(singleton, initializer, saltNonce)` puts the proxy (EIP-1014):
 * `keccak256(0xff ++ factory ++ salt ++ keccak256(code ++ singleton))[12:]`, `salt = keccak256(keccak256(initializer) ++ saltNonce)`.
 * The salt covers the initializer: a Safe with other owners cannot be deployed at this address.
 * @returns EIP-55 address
 */
export const predictProxyAddress = (singleton: Address, initializer: Hex, saltNonce: bigint): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: SAFE_CONTRACTS.proxyFactory.address,
    salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer), saltNonce])),
    bytecode: concat([SAFE_PROXY_CREATION_CODE, pad(singleton, { size: 32 })]),
  });

/** A UUID's 128 bits as a number: distinct accounts have distinct salts. */
export const saltNonceOf = (accountId: string): bigint => BigInt(`0x${accountId.replaceAll('-', '')}`);

/**
 * The Safe of an account, known before anything is deployed.
 * @param owners those that its initializer names, all of whom must sign: the user's wallet and the platform, or the wallet alone
 */
export const predictSafeAddress = (accountId: string, owners: readonly Address[]): Address =>
  predictProxyAddress(SAFE_CONTRACTS.l2Singleton.address, safeInitializer(owners), saltNonceOf(accountId));
