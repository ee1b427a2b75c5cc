import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, parseAbi, toHex } from 'viem';
import collector from '../../contracts/collector.json' with { type: 'json' };
import type { PinnedContract } from './deployments.ts';
import type { ContractCall } from './safe-call.ts';

/** Deploys contracts at addresses that depend on their code alone; at the same address on every chain (github.com/Arachnid/deterministic-deployment-proxy). */
export const DEPLOYER: PinnedContract = {
  address: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  codeHash: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
};

/** The contract that moves spent tokens from accounts to a treasury (`contracts/Collector.sol`), at the same address on every chain. */
export const COLLECTOR: PinnedContract = {
  address: '0xa69C5EB2Cf6624C3f375b879481993a017d95F0e',
  codeHash: '0x40995efb9d7c29e683aeae205cc616e5b664386020bae64da63f51624d0381cd',
};

export const COLLECTOR_ABI = parseAbi([
  'struct Movement { address account; address token; uint96 amount; uint32 nonce; bool back; }',
  'function move(address treasury, Movement[] movements)',
  'function setLimit(address treasury, address token, uint96 limit)',
  'function setOperator(address operator, bool enabled)',
  'function resign(address treasury)',
  'function allowances(address account, address treasury, address token) view returns (uint96 limit, uint96 spent, uint32 day, uint32 nonce)',
  'function collected(address account, address treasury, address token) view returns (uint256)',
  'function isOperator(address treasury, address operator) view returns (bool)',
]);

/** First topic of the event of a movement; the others are account, treasury and token. */
export const MOVED = keccak256(toHex('Moved(address,address,address,uint96,uint32,bool)'));

/** The terms on which a Safe allows collecting. Addresses are EIP-55. */
export type CollectionTerms = {
  /** Receives what is collected. */
  treasury: Address;
  /** Most of each token that is collected in a day (UTC), in its smallest unit, as a decimal string. */
  limits: readonly { token: Address; perDay: string }[];
};

/** A movement between an account and a treasury. Of one account, treasury and token each nonce moves tokens once. */
export type Movement = {
  account: Address;
  token: Address;
  amount: bigint;
  nonce: number;
  /** True: from the treasury to the account, at most what was collected. */
  back: boolean;
};

/** The call that deploys the Collector. Anyone may make it; it reverts when the contract exists. */
export const encodeCollectorDeployment = (): ContractCall => ({
  to: DEPLOYER.address,
  data: concat([`0x${'00'.repeat(32)}`, collector.initCode as Hex]),
});

/** The calls by which a Safe accepts terms: for each token a limit, and the approval that transfers need. */
export const acceptTerms = ({ treasury, limits }: CollectionTerms): ContractCall[] =>
  limits.flatMap(({ token, perDay }) => [
    {
      to: COLLECTOR.address,
      data: encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'setLimit', args: [treasury, token, BigInt(perDay)] }),
    },
    { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] }) },
  ]);

/** The call that makes each movement that can be made, at most `MOVEMENT_GAS` for each. Only an operator of the treasury may make it. */
export const encodeMovements = (treasury: Address, movements: readonly Movement[]): ContractCall => ({
  to: COLLECTOR.address,
  data: encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'move', args: [treasury, movements] }),
});

/** Most gas that a movement takes, with its share of the call. */
export const MOVEMENT_GAS = 215_000n;
