import { type Address, concat, encodeFunctionData, encodePacked, type Hex, parseAbi, size } from 'viem';
import { SAFE_CONTRACTS } from './deployments.ts';

/** A call of a contract, without value. */
export type ContractCall = { to: Address; data: Hex };

const MULTI_SEND = parseAbi(['function multiSend(bytes transactions)']);

/** Makes several calls in turn, all or nothing: the same bytes serve for a direct call and for a delegated one, in which the Safe is the caller. */
export const encodeMultiSend = (calls: readonly ContractCall[]): ContractCall => {
  const packed = calls.map(({ to, data }) =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, to, 0n, BigInt(size(data)), data]),
  );
  return {
    to: SAFE_CONTRACTS.multiSend.address,
    data: encodeFunctionData({ abi: MULTI_SEND, functionName: 'multiSend', args: [concat(packed)] }),
  };
};
