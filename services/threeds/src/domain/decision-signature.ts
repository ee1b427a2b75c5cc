import { contractSignature, recoverSigner as recoverDigestSigner } from '@florin/evm/signatures';
import { type Address, type Hex, hashTypedData } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/** From the 65 bytes of one owner to about thirty owners, or owners that are contracts themselves. */
const SHAPE = /^0x(?:[0-9a-fA-F]{2}){65,2048}$/;
const MAX_BYTES = 2048;

/** Whether a text can be a signature: hex of 65 to 2048 bytes. Only contracts accept more than 65 bytes. */
export const canBeSignature = (text: string): boolean => SHAPE.test(text);

/** The signature in the form that a Safe verifies; undefined if no Safe accepts its form. */
export const safeSignature = (text: string): Hex | undefined => contractSignature(text, MAX_BYTES);

/** The 32 bytes that are signed (EIP-712). */
export const decisionDigest = (data: DecisionTypedData): Hex => hashTypedData(toSignable(data));

/** The EIP-55 address whose key made a canonical signature over the typed data; see `recoverSigner` of @florin/evm. Compare it. */
export const recoverSigner = (data: DecisionTypedData, signature: Hex): Promise<Address | undefined> =>
  recoverDigestSigner(decisionDigest(data), signature);
