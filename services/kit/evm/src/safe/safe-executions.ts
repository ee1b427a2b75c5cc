import { type Address, decodeAbiParameters, getAddress, type Hex, hashTypedData, keccak256, parseAbiParameters, slice, toHex } from 'viem';
import type { ContractCall } from './safe-call.ts';
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

const MODULE = keccak256(toHex('SafeModuleTransaction(address,address,uint256,bytes,uint8)'));
const MODULE_SUCCESS = keccak256(toHex('ExecutionFromModuleSuccess(address)'));
const OF_MODULE = parseAbiParameters('address module, address to, uint256 value, bytes data, uint8 operation');

/**
 * Topics of all events by which a SafeL2 1.4.1 shows that it executes something. It emits `SafeMultiSigTransaction` or `SafeModuleTransaction` before
 * it executes, so that nothing it executes, a delegated call included, can keep it from the logs.
 */
export const EXECUTION_TOPICS: readonly Hex[] = [
  MULTI_SIG,
  EXECUTION_SUCCESS,
  EXECUTION_FAILURE,
  MODULE,
  MODULE_SUCCESS,
  keccak256(toHex('ExecutionFromModuleFailure(address)')),
];

/** A transaction that owners of a Safe signed, as an event of the Safe shows it. `nonce` is in the event that precedes the execution only. */
type SignedExecution = { hash: Hex; nonce?: bigint };

/** A call that a module has a Safe make by delegation, without value. `call` is in the event that precedes the execution only. */
type ModuleExecution = { module: Address; call?: ContractCall };

const readOfModule = (event: Hex): ModuleExecution | undefined => {
  const [module, to, value, data, operation] = decodeAbiParameters(OF_MODULE, event);
  return value === 0n && operation === 1 ? { module, call: { to, data } } : undefined;
};

const readSigned = (chainId: number, safe: Address, event: Hex): SignedExecution => {
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
 * @returns undefined for another execution of a module, and for an event that no Safe emits by itself: code that acts as the Safe can imitate any
 */
export const readExecution = (
  { chainId, safe }: { chainId: number; safe: Address },
  { topics: [topic, hash], data }: { topics: readonly Hex[]; data: Hex },
): SignedExecution | ModuleExecution | undefined => {
  if (topic === EXECUTION_SUCCESS || topic === EXECUTION_FAILURE) return hash === undefined ? undefined : { hash };
  try {
    if (topic === MODULE) return readOfModule(data);
    if (topic === MODULE_SUCCESS) return hash === undefined ? undefined : { module: getAddress(slice(hash, 12)) };
    return topic === MULTI_SIG ? readSigned(chainId, safe, data) : undefined;
  } catch {
    return undefined;
  }
};
