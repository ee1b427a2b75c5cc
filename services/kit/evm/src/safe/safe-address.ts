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

/**
 * Creation code of the SafeProxy contract, Safe 1.4.1: what `SafeProxyFactory.proxyCreationCode()` returns. A CREATE2 address is a
 * hash over these exact bytes, compiler metadata at their end included. A test compares them with the published build artifact.
 */
export const SAFE_PROXY_CREATION_CODE: Hex = `0x${[
  '608060405234801561001057600080fd5b506040516101e63803806101e68339818101604052602081101561003357600080fd5b8101908080519060',
  '200190929190505050600073ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614156100',
  'ca576040517f08c379a00000000000000000000000000000000000000000000000000000000081526004018080602001828103825260228152602001',
  '806101c46022913960400191505060405180910390fd5b806000806101000a81548173ffffffffffffffffffffffffffffffffffffffff0219169083',
  '73ffffffffffffffffffffffffffffffffffffffff1602179055505060ab806101196000396000f3fe608060405273ffffffffffffffffffffffffff',
  'ffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000',
  'f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e',
  '888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033496e76616c69642073696e676c65746f6e2061646472657373207072',
  '6f7669646564',
].join('')}`;

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
