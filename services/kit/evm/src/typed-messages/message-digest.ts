import { type Hex, keccak256 } from 'viem';
import type { TypedMessage } from './typed-message.ts';

const WORD_BYTES = 32;

const hash = (bytes: Uint8Array): Uint8Array => keccak256(bytes, 'bytes');
const hashText = (text: string): Uint8Array => hash(Buffer.from(text));

const uint256 = (value: bigint): Uint8Array => {
  const hex = value.toString(16).padStart(2 * WORD_BYTES, '0');
  if (value < 0n || hex.length > 2 * WORD_BYTES) throw new RangeError('the value does not fit uint256');
  return Buffer.from(hex, 'hex');
};

const DOMAIN_TYPE = hashText('EIP712Domain(string name,string version,uint256 chainId)');
const MESSAGE_TYPE_HASH = hashText('Message(string authorization,uint256 nonce)');
const PREFIX = Buffer.from([0x19, 0x01]);

type Domain = Pick<TypedMessage, 'domainName' | 'domainVersion' | 'chainId'>;

const newSeparator = ({ domainName, domainVersion, chainId }: Domain): Uint8Array =>
  hash(Buffer.concat([DOMAIN_TYPE, hashText(domainName), hashText(domainVersion), uint256(BigInt(chainId))]));

/** Domains whose separators are remembered: a few purposes times a few chains. */
const MAX_SEPARATORS = 100;
const separators = new Map<string, Uint8Array>();

/** The domain separator (EIP-712, hashStruct of the domain). Processes sign for few domains, so separators are remembered. */
const separatorOf = (domain: Domain): Uint8Array => {
  const key = JSON.stringify([domain.domainName, domain.domainVersion, domain.chainId]);
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = newSeparator(domain);
  if (separators.size < MAX_SEPARATORS) separators.set(key, separator);
  return separator;
};

/**
 * The 32 bytes that are signed (EIP-712, section "eth_signTypedData"). Equal to viem's `hashTypedData`, which checks and encodes any
 * type at ten times the cost. Name and version of the domain must not be empty.
 * @throws RangeError, SyntaxError when the nonce is not a decimal string of at most 256 bits
 */
export const messageDigest = (message: TypedMessage): Hex => {
  const { authorization, nonce } = message;
  const struct = hash(Buffer.concat([MESSAGE_TYPE_HASH, hashText(authorization), uint256(BigInt(nonce))]));
  return keccak256(Buffer.concat([PREFIX, separatorOf(message), struct]));
};
