import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  hashStruct,
  hashTypedData,
  pad,
  parseAbi,
  size,
  toHex,
  zeroAddress,
} from 'viem';
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

/** The bytes whose hash is `safeTransactionHash`: a Safe passes them to an owner that is a contract. */
export const safeTransactionData = (transaction: SafeTransaction): Hex => {
  const { domain, types, primaryType, message } = safeTypedData(transaction);
  const separator = [
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const ofDomain = hashStruct({ types: { EIP712Domain: separator }, primaryType: 'EIP712Domain', data: domain });
  return concat(['0x1901', ofDomain, hashStruct({ types, primaryType, data: message })]);
};

/** A message that the owners of a Safe sign for it. */
export type SafeMessage = { chainId: number; safe: Address; message: Hex };

/** The typed data of a message, by which the fallback handler of a Safe 1.4.1 answers for the Safe (EIP-712). */
export const safeMessageTypedData = ({ chainId, safe, message }: SafeMessage) =>
  ({
    domain: { chainId, verifyingContract: safe },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message },
  }) as const;

/** An owner's signature: of a key 65 bytes over `safeTransactionHash`, with v 27 or 28; of a contract what it takes for `safeTransactionData`. */
export type OwnerSignature = { owner: Address; signature: Hex; isContract?: boolean };

const SIGNATURE_BYTES = 65;

/** Joins signatures as a Safe reads them: in the order of the owners' addresses, those of contracts by their places behind the others. */
export const joinOwnerSignatures = (signatures: readonly OwnerSignature[]): Hex => {
  const sorted = signatures.toSorted((a, b) => (a.owner.toLowerCase() < b.owner.toLowerCase() ? -1 : 1));
  let end = sorted.length * SIGNATURE_BYTES;
  const parts: Hex[] = [];
  const heads = sorted.map(({ owner, signature, isContract }): Hex => {
    if (isContract !== true) return signature;
    const part = concat([pad(toHex(size(signature))), signature]);
    const head = concat([pad(owner), pad(toHex(end)), '0x00']);
    parts.push(part);
    end += size(part);
    return head;
  });
  return concat([...heads, ...parts]);
};

/** The call that executes a signed transaction. Anyone may make it. */
export const encodeExecution = ({ safe, to, data, operation, safeTxGas }: SafeTransaction, signatures: Hex): ContractCall => ({
  to: safe,
  data: encodeFunctionData({
    abi: EXECUTE,
    functionName: 'execTransaction',
    args: [to, 0n, data, operation, safeTxGas, 0n, 0n, zeroAddress, zeroAddress, signatures],
  }),
});
