import { concatHex, type Hex, hexOf, hexSize } from '../hex.ts';
import type { PinnedChain } from './chain-nodes.ts';

/** The value with which a contract accepts: `bytes4(keccak256("isValidSignature(bytes32,bytes)"))`, left-aligned in 32 bytes (EIP-1271). */
const MAGIC_VALUE = `1626ba7e${'00'.repeat(28)}`;

const SELECTOR = '0x1626ba7e';

/** Gas limit of the contract. A Safe needs about 10,000 per owner, twice that for each level of nesting. */
const CONTRACT_GAS = 1_500_000;

/** Gas limit of the whole call: enough that the 63/64 rule (EIP-150) leaves the contract its full limit, plus the calling code. */
const CALL_GAS = 2_500_000;

/** Length of the calling code. */
const PROBE_BYTES = 64;
const WORD_BYTES = 32;

/** Encodes the call `isValidSignature(digest, signature)` by the contract ABI: the variable-length part comes last, in whole words. */
const encodeCall = (digest: Hex, signature: Hex): Hex => {
  const length = hexSize(signature);
  const padding: Hex = `0x${'00'.repeat((WORD_BYTES - (length % WORD_BYTES)) % WORD_BYTES)}`;
  return concatHex([SELECTOR, digest, hexOf(2 * WORD_BYTES, WORD_BYTES), hexOf(length, WORD_BYTES), signature, padding]);
};

/**
 * Builds code for an `eth_call` without a recipient that asks a contract whether it accepts a signature (EIP-1271). The code returns
 * three words: whether the call succeeded, how many bytes the contract returned, and the first 32 of them.
 *
 * In a direct call, a contract's failure (revert, out of gas) is reported as an error of the node, in the words of its implementation,
 * and cannot be distinguished from a failing node. Through this code every behaviour of the contract is a result, and every error is
 * the node's. The code also confines the contract: it cannot write (STATICCALL), has its own gas limit, and returns only 32 bytes.
 * @param digest the 32 bytes that were signed
 * @param signature hex of any length that fits two-byte offsets
 */
export const contractSignatureCall = (contract: Hex, digest: Hex, signature: Hex): Hex => {
  const data = encodeCall(digest, signature);
  const length = hexSize(data);
  // Memory: the call data at 0, the result after it; both fit two-byte offsets.
  const resultAt = Math.ceil(length / WORD_BYTES) * WORD_BYTES;
  return concatHex([
    // CODECOPY(0, PROBE_BYTES, length): the call data follows this code.
    concatHex(['0x61', hexOf(length, 2), '0x60', hexOf(PROBE_BYTES, 1), '0x6000', '0x39']),
    // STATICCALL(CONTRACT_GAS, contract, 0, length, resultAt, 32)
    concatHex([
      '0x6020',
      '0x61',
      hexOf(resultAt, 2),
      '0x61',
      hexOf(length, 2),
      '0x6000',
      '0x73',
      contract.toLowerCase() as Hex,
      '0x63',
      hexOf(CONTRACT_GAS, 4),
      '0xfa',
    ]),
    // MSTORE(0, success); MSTORE(32, RETURNDATASIZE)
    '0x600052',
    '0x3d602052',
    // MSTORE(64, MLOAD(resultAt))
    concatHex(['0x61', hexOf(resultAt, 2), '0x51', '0x604052']),
    // RETURN(0, 96)
    '0x60606000f3',
    data,
  ]);
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

const RESULT = /^0x[0-9a-f]{192}$/;
const ACCEPTED = `0x${word(1)}${word(WORD_BYTES)}${MAGIC_VALUE}`;

/**
 * Parses the result of `contractSignatureCall`. An address without code returns no bytes and therefore accepts nothing.
 * @returns whether the contract returned exactly the 32 bytes of acceptance
 * @throws Error when the result is not one of that code, which is a fault of the node and not of the contract
 */
export const acceptedByContract = (result: unknown): boolean => {
  if (typeof result !== 'string' || !RESULT.test(result) || !/^0x0{63}[01]/.test(result))
    throw new Error('the node did not return a result of the called code');
  return result === ACCEPTED;
};

/**
 * Reports whether the contract at an address accepts a signature over a digest (EIP-1271), at the block of `chain`.
 * @throws Error when the node fails
 */
export const askContract = async (chain: PinnedChain, contract: Hex, digest: Hex, signature: Hex): Promise<boolean> =>
  acceptedByContract(await chain.run(contractSignatureCall(contract, digest, signature), CALL_GAS));
