import { canonicalSignature, hasSignatureShape } from '@florin/kit/signatures';
import { type Address, type Hex, hashTypedData, recoverAddress } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/** One owner's 65 bytes up to some thirty owners, or owners that are contracts themselves. */
const SHAPE = /^0x(?:[0-9a-fA-F]{2}){65,2048}$/;

/** Whether a text can be a signature of any signer: hex of 65 to 2048 bytes. More than 65 only a contract can have accepted. */
export const canBeSignature = (text: string): boolean => SHAPE.test(text);

/** Safe's v of one owner: 1 approved on the chain, 27 and 28 over the hash, 31 and 32 over the hash as a personal message (`eth_sign`). */
const APPROVED_V = 1;
const SIGNED_V = [27, 28, 31, 32];

/**
 * The form in which a Safe is asked about a signature, lower-case. A single owner's 65 bytes are held to the wallets' rule, so that
 * the second spelling of a signature is refused wherever it comes from; what longer ones mean is for the contract to say.
 * @returns undefined for what no Safe takes
 */
export const safeSignature = (text: string): Hex | undefined => {
  if (!canBeSignature(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  if (hasSignatureShape(text)) {
    const v = Number.parseInt(hex.slice(128), 16);
    // r and s are judged as a wallet's are, whatever v says of how the hash was signed.
    const isCanonical = canonicalSignature(`0x${hex.slice(0, 128)}1b`) !== undefined;
    if (v !== APPROVED_V && !(SIGNED_V.includes(v) && isCanonical)) return undefined;
  }
  return `0x${hex}`;
};

/** The 32 bytes that are signed (EIP-712). */
export const decisionDigest = (data: DecisionTypedData): Hex => hashTypedData(toSignable(data));

/**
 * The address whose key made a canonical signature over the typed data, EIP-55.
 * @returns undefined when r is no point of the curve. Any other signature recovers to *some* address: compare it.
 */
export const recoverSigner = async (data: DecisionTypedData, signature: Hex): Promise<Address | undefined> => {
  try {
    return await recoverAddress({ hash: decisionDigest(data), signature });
  } catch {
    return undefined;
  }
};
