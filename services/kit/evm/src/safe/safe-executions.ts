import { type Address, decodeAbiParameters, type Hex, hashTypedData, keccak256, parseAbiParameters, toHex } from 'viem';
import { SAFE_TX } from './safe-transaction.ts';

/** Topic of `ExecutionSuccess(bytes32 indexed txHash, uint256 payment)` of a Safe 1.4.1. */
export const EXECUTION_SUCCESS = keccak256(toHex('ExecutionSuccess(bytes32,uint256)'));
const EXECUTION_FAILURE = keccak256(toHex('ExecutionFailure(bytes32,uint256)'));

const MULTI_SIG = keccak256(
  toHex('SafeMultiSigTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes)'),
);
/** Its parameters, the nonce, sender and threshold in the last one. */
const SIGNED = parseAbiParameters(
  'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo',
);
const ADDITIONAL = parseAbiParameters('uint256 nonce, address sender, uint256 threshold');

/**
 * Topics of all events by which a SafeL2 1.4.1 shows that it executes something. It emits `SafeMultiSigTransaction` or `SafeModuleTransaction` before
 * it executes, so that nothing it executes, a delegated call included, can keep it from the logs.
 */
export const EXECUTION_TOPICS: readonly Hex[] = [
  MULTI_SIG,
  EXECUTION_SUCCESS,
  EXECUTION_FAILURE,
  ...[
    'SafeModuleTransaction(address,address,uint256,bytes,uint8)',
    'ExecutionFromModuleSuccess(address)',
    'ExecutionFromModuleFailure(address)',
  ].map((signature) => keccak256(toHex(signature))),
];

/** A transaction that owners of a Safe signed, as an event of the Safe shows it. `nonce` is in the event that precedes the execution only. */
export type SafeExecution = { hash: Hex; nonce?: bigint };

const readSigned = (chainId: number, safe: Address, event: Hex): SafeExecution => {
  const [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, , additional] = decodeAbiParameters(
    SIGNED,
    event,
  );
  const [nonce] = decodeAbiParameters(ADDITIONAL, additional);
  const message = { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce };
  const domain = { chainId, verifyingContract: safe };
  return { hash: hashTypedData({ domain, types: { SafeTx: SAFE_TX }, primaryType: 'SafeTx', message }), nonce };
};

/**
 * Reads one of the events of `EXECUTION_TOPICS`.
 * @returns undefined for the execution of a module, and for an event that no Safe emits by itself: code that acts as the Safe can imitate any
 */
export const readExecution = (
  { chainId, safe }: { chainId: number; safe: Address },
  { topics: [topic, hash], data }: { topics: readonly Hex[]; data: Hex },
): SafeExecution | undefined => {
  if (topic === EXECUTION_SUCCESS || topic === EXECUTION_FAILURE) return hash === undefined ? undefined : { hash };
  if (topic !== MULTI_SIG) return undefined;
  try {
    return readSigned(chainId, safe, data);
  } catch {
    return undefined;
  }
};
