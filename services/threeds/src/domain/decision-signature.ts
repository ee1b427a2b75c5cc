import { type Address, type Hex, hashTypedData, recoverAddress } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const WALLET_SHAPE = /^0x[0-9a-fA-F]{130}$/;
/** One owner's 65 bytes up to some thirty owners, or owners that are contracts themselves. */
const SHAPE = /^0x(?:[0-9a-fA-F]{2}){65,2048}$/;

/** Whether a text can be a signature at all: hex of 65 to 2048 bytes. */
export const hasSignatureShape = (text: string): boolean => SHAPE.test(text);

/** Whether a text can be the signature of a wallet: 65 bytes of hex. More than that only a contract can have accepted. */
export const hasWalletShape = (text: string): boolean => WALLET_SHAPE.test(text);

const parse = (hex: string) => ({
  r: BigInt(`0x${hex.slice(0, 64)}`),
  s: BigInt(`0x${hex.slice(64, 128)}`),
  v: Number.parseInt(hex.slice(128), 16),
});

/** r and s inside the group's order, s in its lower half. */
const isLow = ({ r, s }: { r: bigint; s: bigint }): boolean => r > 0n && r < ORDER && s > 0n && s <= ORDER / 2n;

/**
 * The one accepted form of a signature: r and s inside the group's order, s in its lower half (EIP-2: of the two signatures
 * that prove the same, one is canonical), v 27 or 28. Lower-case, so that one signature has one spelling.
 * @returns undefined for everything else
 */
export const canonicalSignature = (text: string): Hex | undefined => {
  if (!hasWalletShape(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  const parts = parse(hex);
  return isLow(parts) && (parts.v === 27 || parts.v === 28) ? `0x${hex}` : undefined;
};

/** Safe's v of one owner: 1 approved on the chain, 27 and 28 over the hash, 31 and 32 over the hash as a personal message (`eth_sign`). */
const OWNER_V = { approved: [1], signed: [27, 28, 31, 32] };

/**
 * The form in which a Safe is asked about a signature, lower-case. A single owner's 65 bytes are held to the wallets' rule, so that
 * the second spelling of a signature is refused wherever it comes from; what longer ones mean is for the contract to say.
 * @returns undefined for what no Safe takes
 */
export const safeSignature = (text: string): Hex | undefined => {
  if (!hasSignatureShape(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  if (hasWalletShape(text)) {
    const parts = parse(hex);
    if (!OWNER_V.approved.includes(parts.v) && !(OWNER_V.signed.includes(parts.v) && isLow(parts))) return undefined;
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
