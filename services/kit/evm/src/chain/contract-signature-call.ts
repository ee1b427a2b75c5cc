import { concatHex, type Hex, hexOf, hexSize } from '../hex/index.ts';
import type { PinnedChain } from './chain-nodes.ts';

/** `bytes4(keccak256("isValidSignature(bytes32,bytes)"))`, as a contract answers yes: left-aligned in 32 bytes (EIP-1271). */
const YES = `1626ba7e${'00'.repeat(28)}`;

const SELECTOR = '0x1626ba7e';

/** What the asked contract may burn. A Safe needs some 10,000 per owner, twice that for each level of nesting. */
const CONTRACT_GAS = 1_500_000;

/** The whole call: the contract's share, so much beyond it that the 63/64 rule (EIP-150) never cuts that share, and the way there. */
const CALL_GAS = 2_500_000;

const PROBE_BYTES = 64;
const WORD_BYTES = 32;

/** `isValidSignature(digest, signature)` in the encoding of contracts: what is of variable length stands at the end, in whole words. */
const encodeQuestion = (digest: Hex, signature: Hex): Hex => {
  const length = hexSize(signature);
  const padding: Hex = `0x${'00'.repeat((WORD_BYTES - (length % WORD_BYTES)) % WORD_BYTES)}`;
  return concatHex([SELECTOR, digest, hexOf(2 * WORD_BYTES, WORD_BYTES), hexOf(length, WORD_BYTES), signature, padding]);
};

/**
 * Code for an `eth_call` without a recipient that asks a contract whether it accepts a signature (EIP-1271), and brings back
 * three words: whether it returned at all, how many bytes it returned, and the first 32 of them.
 *
 * Asked directly, a contract's refusal (revert, gas burnt) comes back as an error of the node, worded by its maker, and cannot be
 * told from a node in trouble. Asked through this, whatever a contract does is an answer, and every error is the node's. It also
 * bounds what a contract can do: it cannot write (STATICCALL), has its own gas, and of a megabyte that it returns 32 bytes travel.
 */
export const contractSignatureCall = (contract: Hex, digest: Hex, signature: Hex): Hex => {
  const question = encodeQuestion(digest, signature);
  const length = hexSize(question);
  // Memory: the question at 0, the answer behind it; both fit two-byte offsets.
  const answerAt = Math.ceil(length / WORD_BYTES) * WORD_BYTES;
  return concatHex([
    // CODECOPY(0, PROBE_BYTES, length): the question stands behind this code.
    concatHex(['0x61', hexOf(length, 2), '0x60', hexOf(PROBE_BYTES, 1), '0x6000', '0x39']),
    // STATICCALL(CONTRACT_GAS, contract, 0, length, answerAt, 32)
    concatHex([
      '0x6020',
      '0x61',
      hexOf(answerAt, 2),
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
    // MSTORE(64, MLOAD(answerAt))
    concatHex(['0x61', hexOf(answerAt, 2), '0x51', '0x604052']),
    // RETURN(0, 96)
    '0x60606000f3',
    question,
  ]);
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

const ANSWER = /^0x[0-9a-f]{192}$/;
const ACCEPTED = `0x${word(1)}${word(WORD_BYTES)}${YES}`;

/**
 * Reads the answer to `contractSignatureCall`. An address without code returns nothing, and so accepts nothing.
 * @returns whether the contract said yes, in exactly the 32 bytes that say it
 * @throws Error when this is no answer of that code: the node's fault, not the contract's
 */
export const acceptedByContract = (answer: unknown): boolean => {
  if (typeof answer !== 'string' || !ANSWER.test(answer) || !/^0x0{63}[01]/.test(answer))
    throw new Error('no answer of the code that was called');
  return answer === ACCEPTED;
};

/**
 * Whether the contract at an address accepts a signature over a digest (EIP-1271), at the block of `chain`.
 * @throws Error whatever the node is in trouble with
 */
export const askContract = async (chain: PinnedChain, contract: Hex, digest: Hex, signature: Hex): Promise<boolean> =>
  acceptedByContract(await chain.run(contractSignatureCall(contract, digest, signature), CALL_GAS));
