import { concatHex, type Hex, hexOf, hexSize } from '@florin/evm/hex';
import { type Address, decodeAbiParameters, encodeAbiParameters, erc6492SignatureValidatorByteCode, parseAbiParameters } from 'viem';

/** Ends every signature of a wallet that may not stand yet (EIP-6492). */
const MAGIC: Hex = `0x${'6492'.repeat(16)}`;

const WRAPPING = parseAbiParameters('address factory, bytes creation, bytes signature');
const ARGUMENTS = parseAbiParameters('address signer, bytes32 digest, bytes signature');

/** A wallet that is to be deployed before it is asked. */
export type UndeployedSignature = {
  factory: Address;
  /** What the factory is called with. */
  creation: Hex;
  /** What the wallet is asked about. */
  signature: Hex;
};

/** Takes a signature of EIP-6492 apart; undefined for every other one, `malformed` when only its end looks like one. */
export const unwrapUndeployed = (signature: Hex): UndeployedSignature | 'malformed' | undefined => {
  if (!signature.endsWith(MAGIC.slice(2))) return undefined;
  try {
    const [factory, creation, inner] = decodeAbiParameters(WRAPPING, signature.slice(0, -MAGIC.length + 2) as Hex);
    return { factory, creation, signature: inner };
  } catch {
    return 'malformed';
  }
};

/** What deploying a wallet and asking it may burn; wallets cost 0.2 to 1 million to deploy. */
export const UNDEPLOYED_GAS = 6_000_000;

const PROBE_BYTES = 64;

/**
 * Code for an `eth_call` without a recipient that runs the validator of EIP-6492 (deploy the wallet, ask it) as a contract being
 * created, and brings back three words: whether it came to an end, how many bytes it answered, and those. Nothing of it lasts: the
 * call is no transaction. Run directly, the validator's refusals come back as errors of the node (see `contractSignatureCall`).
 *
 * The signature is encoded anew, so that the validator reads what was looked at here and not what other bytes could mean as well.
 */
export const undeployedSignatureCall = (signer: Address, digest: Hex, { factory, creation, signature }: UndeployedSignature): Hex => {
  const wrapped = concatHex([encodeAbiParameters(WRAPPING, [factory, creation, signature]), MAGIC]);
  const validator = concatHex([erc6492SignatureValidatorByteCode, encodeAbiParameters(ARGUMENTS, [signer, digest, wrapped])]);
  const length = hexOf(hexSize(validator), 2);
  const probe = concatHex([
    // CODECOPY(0, PROBE_BYTES, length): the validator stands behind this code.
    concatHex(['0x61', length, '0x60', hexOf(PROBE_BYTES, 1), '0x6000', '0x39']),
    // CREATE(0, 0, length): what its constructor answers becomes the code of a contract; the address stays on the stack, 0 for none.
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
 * Reads the answer to `undeployedSignatureCall`.
 * @throws Error when this is no answer of that code: the node's fault, not the wallet's
 */
export const acceptedByUndeployed = (answer: unknown): boolean => {
  if (typeof answer !== 'string' || !ANSWER.test(answer)) throw new Error('no answer of the code that was called');
  return answer === ACCEPTED;
};
