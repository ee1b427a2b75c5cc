import { contractSignature } from '@florin/evm/signatures';
import type { Hex } from 'viem';

/** From the 65 bytes of one owner to about thirty owners, or owners that are contracts themselves. */
const SHAPE = /^0x(?:[0-9a-fA-F]{2}){65,2048}$/;
const MAX_BYTES = 2048;

/** Reports whether a text can be a signature: hex of 65 to 2048 bytes. Only contracts accept more than 65 bytes. */
export const canBeSignature = (text: string): boolean => SHAPE.test(text);

/** The signature in the form that a Safe verifies; undefined if no Safe accepts its form. */
export const safeSignature = (text: string): Hex | undefined => contractSignature(text, MAX_BYTES);
