import { type Address, concat, encodeFunctionData, type Hex, hashTypedData, parseAbi, zeroAddress } from 'viem';
import type { ContractCall } from './safe-call.ts';

/** The call that a Safe executes: `operation` 0 calls, 1 delegates, so that the called code acts as the Safe. The Safe refunds no gas. */
export type SafeTransaction = {
  chainId: number;
  safe: Address;
  to: Address;
  data: Hex;
  operation: 0 | 1;
  /**
   * Gas for the call. Zero: a call that fails reverts everything, and can be repeated with the same signatures. Above zero: a call that fails
   * uses up the nonce, so that nobody can execute the transaction later.
   */
  safeTxGas: bigint;
  nonce: bigint;
};

/** Type of EIP-712 that a Safe 1.4.1 verifies. */
export const SAFE_TX = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const;

const EXECUTE = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool success)',
]);

/** The typed data that the owners of a Safe sign (EIP-712). */
export const safeTypedData = ({ chainId, safe, to, data, operation, safeTxGas, nonce }: SafeTransaction) =>
  ({
    domain: { chainId, verifyingContract: safe },
    types: { SafeTx: SAFE_TX },
    primaryType: 'SafeTx',
    message: {
      to,
      value: 0n,
      data,
      operation,
      safeTxGas,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce,
    },
  }) as const;

/** Hash that the owners sign and that the Safe names in its events. */
export const safeTransactionHash = (transaction: SafeTransaction): Hex => hashTypedData(safeTypedData(transaction));

/** An owner's signature over `safeTransactionHash`, 65 bytes with v 27 or 28. */
export type OwnerSignature = { owner: Address; signature: Hex };

/** Joins signatures as a Safe reads them: in the order of the owners' addresses. */
export const joinOwnerSignatures = (signatures: readonly OwnerSignature[]): Hex =>
  concat(signatures.toSorted((a, b) => (a.owner.toLowerCase() < b.owner.toLowerCase() ? -1 : 1)).map(({ signature }) => signature));

/** The call that executes a signed transaction. Anyone may make it. */
export const encodeExecution = ({ safe, to, data, operation, safeTxGas }: SafeTransaction, signatures: Hex): ContractCall => ({
  to: safe,
  data: encodeFunctionData({
    abi: EXECUTE,
    functionName: 'execTransaction',
    args: [to, 0n, data, operation, safeTxGas, 0n, 0n, zeroAddress, zeroAddress, signatures],
  }),
});
