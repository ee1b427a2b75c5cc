import { create } from '@bufbuild/protobuf';
import { TypedMessageSchema, type TypedMessage as WireTypedMessage } from '@florin/proto/common/v1/typed_message';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import { recoverSigner } from '../signatures/index.ts';
import { messageDigest } from './message-digest.ts';

/** Members of the struct type `Message`. Their order is part of the encoding (EIP-712, encodeType). */
export const MESSAGE_TYPE = [
  { name: 'authorization', type: 'string' },
  { name: 'nonce', type: 'uint256' },
] as const;

/** Typed data (EIP-712) that a wallet signs for one purpose, as stored and sent: the nonce is a decimal string. */
export type TypedMessage = {
  /** Separates the purposes: a signature for one domain is worthless in another. */
  domainName: string;
  domainVersion: string;
  /** EIP-155. */
  chainId: number;
  /** The text that the wallet shows. */
  authorization: string;
  nonce: string;
};

/** The typed data in the form that EIP-712 libraries expect. */
export const toSignable = (message: TypedMessage) =>
  ({
    domain: { name: message.domainName, version: message.domainVersion, chainId: message.chainId },
    types: { Message: MESSAGE_TYPE },
    primaryType: 'Message',
    message: { authorization: message.authorization, nonce: BigInt(message.nonce) },
  }) as const satisfies TypedDataDefinition;

/** The EIP-55 address whose key made a canonical signature over the typed data; see `recoverSigner`. Compare it. */
export const recoverMessageSigner = (message: TypedMessage, signature: Hex): Promise<Address | undefined> =>
  recoverSigner(messageDigest(message), signature);

export const toWireTypedMessage = (message: TypedMessage): WireTypedMessage =>
  create(TypedMessageSchema, {
    domainName: message.domainName,
    domainVersion: message.domainVersion,
    domainChainId: message.chainId,
    messageTypes: [...MESSAGE_TYPE],
    authorization: message.authorization,
    nonce: message.nonce,
  });

const NONCE_BYTES = 32;

/** A nonce of 256 random bits as a decimal string. */
export const newNonce = (randomBytes: (size: number) => Uint8Array): string =>
  BigInt(`0x${Buffer.from(randomBytes(NONCE_BYTES)).toString('hex')}`).toString();
