import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem';
import type { CollectionTerms } from './collector.ts';
import { MODULE_PROXY_FACTORY, type PinnedContract } from './deployments.ts';
import type { ContractCall } from './safe-call.ts';

/** How a Safe is set up: its Delay module, and what may be collected from it. */
export type DelaySettings = {
  /** Code of the module. */
  mastercopy: PinnedContract;
  /** Seconds between the request of a transaction and the earliest execution. */
  cooldownSeconds: number;
  /** Seconds after the cooldown in which it can be executed; at least 60. */
  expirationSeconds: number;
  /** Absent: nothing can be collected. */
  terms?: CollectionTerms;
};

const MODULE = parseAbi([
  'function setUp(bytes initParams)',
  'function deployModule(address masterCopy, bytes initializer, uint256 saltNonce)',
]);

const setUpCall = (safe: Address, { cooldownSeconds, expirationSeconds }: DelaySettings): Hex => {
  const word = [{ type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }] as const;
  const parameters = encodeAbiParameters(word, [safe, safe, safe, BigInt(cooldownSeconds), BigInt(expirationSeconds)]);
  return encodeFunctionData({ abi: MODULE, functionName: 'setUp', args: [parameters] });
};

const SALT_NONCE = 0n;

/**
 * Code hash of a proxy of a module (EIP-1167).
 * @param mastercopy address of the code
 */
export const moduleProxyCodeHash = (mastercopy: Address): Hex =>
  keccak256(concat(['0x363d3d373d3d3d363d73', mastercopy, '0x5af43d82803e903d91602b57fd5bf3']));

/**
 * Where a Safe's Delay module is, which belongs to the Safe and acts on it. The address commits to all settings (EIP-1014): whoever deploys it,
 * nothing else can be there.
 */
export const predictDelayModule = (safe: Address, settings: DelaySettings): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: MODULE_PROXY_FACTORY.address,
    salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(setUpCall(safe, settings)), SALT_NONCE])),
    bytecode: concat(['0x602d8060093d393df3363d3d373d3d3d363d73', settings.mastercopy.address, '0x5af43d82803e903d91602b57fd5bf3']),
  });

/** The call that deploys a Safe's Delay module. Anyone may make it; it reverts when the module exists. */
export const encodeDelayDeployment = (safe: Address, settings: DelaySettings): ContractCall => ({
  to: MODULE_PROXY_FACTORY.address,
  data: encodeFunctionData({
    abi: MODULE,
    functionName: 'deployModule',
    args: [settings.mastercopy.address, setUpCall(safe, settings), SALT_NONCE],
  }),
});
