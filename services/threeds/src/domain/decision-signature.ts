import { contractSignature } from '@florin/evm/signatures';
import { type Address, type Hex, hashTypedData, recoverAddress } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/** One owner's 65 bytes up to some thirty owners, or owners that are contracts themselves. */
const SHAPE = /^0x(?:[0-9a-fA-F]{2}){65,2048}$/;
const MAX_BYTES = 2048;

/** Whether a text can be a signature of any signer: hex of 65 to 2048 bytes. More than 65 only a contract can have accepted. */
export const canBeSignature = (text: string): boolean => SHAPE.test(text);

/** The form in which a Safe is asked about a signature; undefined for what no Safe takes. */
export const safeSignature = (text: string): Hex | undefined => contractSignature(text, MAX_BYTES);

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
