import { concatHex, type Hex, hexOf, hexSize } from '@florin/evm/hex';
import { type Address, decodeAbiParameters, encodeAbiParameters, erc6492SignatureValidatorByteCode, parseAbiParameters } from 'viem';

/** Suffix of a signature by a wallet that may not be deployed yet (EIP-6492). */
const MAGIC: Hex = `0x${'6492'.repeat(16)}`;

const WRAPPING = parseAbiParameters('address factory, bytes creation, bytes signature');
const ARGUMENTS = parseAbiParameters('address signer, bytes32 digest, bytes signature');

/** A wallet that must be deployed before it can verify a signature. */
export type UndeployedSignature = {
  factory: Address;
  /** Calldata for the factory. */
  creation: Hex;
  /** Signature that the wallet verifies. */
  signature: Hex;
};

/**
 * Decodes an EIP-6492 signature. Returns undefined for a signature without the suffix, and `malformed` when the suffix is there but
 * the rest does not decode.
 */
export const unwrapUndeployed = (signature: Hex): UndeployedSignature | 'malformed' | undefined => {
  if (!signature.endsWith(MAGIC.slice(2))) return undefined;
  try {
    const [factory, creation, inner] = decodeAbiParameters(WRAPPING, signature.slice(0, -MAGIC.length + 2) as Hex);
    return { factory, creation, signature: inner };
  } catch {
    return 'malformed';
  }
};

/** Gas limit for deploying a wallet and verifying with it; wallets cost 0.2 to 1 million to deploy. */
export const UNDEPLOYED_GAS = 6_000_000;

const PROBE_BYTES = 64;

/**
 * Code for an `eth_call` without a recipient. It runs the validator of EIP-6492 (deploys the wallet, then asks it) as a contract
 * creation and returns three words: whether the creation succeeded, how many bytes the validator returned, and these bytes. The call
 * is not a transaction and leaves no state. When the validator runs directly, its rejections look like errors of the node (see
 * `contractSignatureCall`).
 *
 * The signature is encoded again, so that the validator reads exactly what was decoded here.
 */
export const undeployedSignatureCall = (signer: Address, digest: Hex, { factory, creation, signature }: UndeployedSignature): Hex => {
  const wrapped = concatHex([encodeAbiParameters(WRAPPING, [factory, creation, signature]), MAGIC]);
  const validator = concatHex([erc6492SignatureValidatorByteCode, encodeAbiParameters(ARGUMENTS, [signer, digest, wrapped])]);
  const length = hexOf(hexSize(validator), 2);
  const probe = concatHex([
    // CODECOPY(0, PROBE_BYTES, length): the validator follows this code.
    concatHex(['0x61', length, '0x60', hexOf(PROBE_BYTES, 1), '0x6000', '0x39']),
    // CREATE(0, 0, length): what the constructor returns becomes the code of a contract. Leaves its address on the stack, or 0 on
    // failure.
    concatHex(['0x61', length, '0x60006000f0']),
    // MSTORE(32, EXTCODESIZE(address)); MSTORE(64, 0); EXTCODECOPY(address, 64, 0, 32)
    '0x803b602052',
    '0x6000604052',
    '0x602060006040833c',
    // MSTORE(0, address != 0); RETURN(0, 96)
    '0x1515600052',
    '0x60606000f3',
  ]);
  const gap = concatHex(Array.from({ length: PROBE_BYTES - hexSize(probe) }, () => '0x00' as const));
  return concatHex([probe, gap, validator]);
};

const ANSWER = /^0x0{63}[01][0-9a-f]{128}$/;
const ACCEPTED = `0x${'1'.padStart(64, '0')}${'1'.padStart(64, '0')}01${'00'.repeat(31)}`;

/**
 * Reads the result of `undeployedSignatureCall`.
 * @throws Error when the result does not have the expected form, which is a fault of the node
 */
export const acceptedByUndeployed = (answer: unknown): boolean => {
  if (typeof answer !== 'string' || !ANSWER.test(answer)) throw new Error('the node returned a result that the called code cannot produce');
  return answer === ACCEPTED;
};
