import type { TypedMessage } from '@florin/evm/typed-messages';

/** The actions that a cardholder may allow with a signature. */
export const CARD_DATA_ACTIONS = ['view_details', 'view_pin', 'set_pin'] as const;
export type CardDataAction = (typeof CARD_DATA_ACTIONS)[number];

const FIRST_LINE: Readonly<Record<CardDataAction, string>> = {
  view_details: 'SHOW the number and security code of this card',
  view_pin: 'SHOW the PIN of this card',
  set_pin: 'SET a new PIN for this card',
};

/** The facts that are signed. */
export type CardDataFacts = {
  action: CardDataAction;
  cardId: string;
  last4: string;
  /** Thumbprint (RFC 7638) of the app's key. */
  thumbprint: string;
  /** Thumbprint of the vault's key, to which a new PIN must be encrypted. */
  vaultKey: string;
  expiresAt: Date;
};

/**
 * The text that a wallet shows. It names the key that will receive the data, so that a process between app and vault cannot put its own in
 * place; for a new PIN also the vault's key, so that an app can compare it with the one that it encrypts to.
 */
export const cardDataText = ({ action, cardId, last4, thumbprint, vaultKey, expiresAt }: CardDataFacts): string =>
  [
    FIRST_LINE[action],
    `Card: **** ${last4}`,
    `Card ID: ${cardId}`,
    `App key: ${thumbprint}`,
    ...(action === 'set_pin' ? [`Vault key: ${vaultKey}`] : []),
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n');

const DOMAIN_NAME = 'Florin Card Data';
const DOMAIN_VERSION = '1';

/** Typed data (EIP-712) that a wallet signs for one action. */
export const cardDataMessage = (chainId: number, message: { authorization: string; nonce: string }): TypedMessage => ({
  domainName: DOMAIN_NAME,
  domainVersion: DOMAIN_VERSION,
  chainId,
  authorization: message.authorization,
  nonce: message.nonce,
});
