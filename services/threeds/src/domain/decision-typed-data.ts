import type { TypedDataDefinition } from 'viem';

/** Members of the struct type `Message`. Their order is part of the encoding (EIP-712, encodeType). */
export const MESSAGE_TYPE = [
  { name: 'authorization', type: 'string' },
  { name: 'nonce', type: 'uint256' },
] as const;

export const DOMAIN_NAME = 'Florin 3DS';
export const DOMAIN_VERSION = '1';

/** Typed data (EIP-712) that a wallet signs for one decision, as stored and sent: the nonce is a decimal string. */
export type DecisionTypedData = {
  domainName: string;
  domainVersion: string;
  /** EIP-155. */
  chainId: number;
  authorization: string;
  nonce: string;
};

export const decisionTypedData = (chainId: number, message: { authorization: string; nonce: string }): DecisionTypedData => ({
  domainName: DOMAIN_NAME,
  domainVersion: DOMAIN_VERSION,
  chainId,
  authorization: message.authorization,
  nonce: message.nonce,
});

/** The typed data in the form that EIP-712 libraries expect. */
export const toSignable = (data: DecisionTypedData) =>
  ({
    domain: { name: data.domainName, version: data.domainVersion, chainId: data.chainId },
    types: { Message: MESSAGE_TYPE },
    primaryType: 'Message',
    message: { authorization: data.authorization, nonce: BigInt(data.nonce) },
  }) as const satisfies TypedDataDefinition;

const NONCE_BYTES = 32;

/** A nonce of 256 random bits as a decimal string. */
export const newNonce = (randomBytes: (size: number) => Uint8Array): string =>
  BigInt(`0x${Buffer.from(randomBytes(NONCE_BYTES)).toString('hex')}`).toString();
