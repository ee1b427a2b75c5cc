import type { TypedMessage } from '@florin/evm/typed-messages';

export const DOMAIN_NAME = 'Florin 3DS';
export const DOMAIN_VERSION = '1';

/** Typed data (EIP-712) that a wallet signs for one decision. */
export const decisionTypedData = (chainId: number, message: { authorization: string; nonce: string }): TypedMessage => ({
  domainName: DOMAIN_NAME,
  domainVersion: DOMAIN_VERSION,
  chainId,
  authorization: message.authorization,
  nonce: message.nonce,
});
