import type { Hex } from 'viem';
import { signJws } from '../compact-jws.ts';
import type { Client } from '../create-client.ts';
import { createKeyPair, type PublicJwk, thumbprintOf } from '../elliptic-keys.ts';
import { openJwe, sealJwe } from './compact-jwe.ts';
import { EXPIRES, expectTypedText, UnexpectedTextError } from './expected-text.ts';
import { signTyped, type Wallet } from './wallet.ts';

export type CardDetails = { pan: string; expMonth: number; expYear: number; cvv2: string };

/** The content of each view of a card. */
type Revealed = { 'view-details': CardDetails; 'view-pin': { pin: string } };

type Action = keyof Revealed | 'set-pin';

const FIRST_LINE: Readonly<Record<Action, string>> = {
  'view-details': 'SHOW the number and security code of this card',
  'view-pin': 'SHOW the PIN of this card',
  'set-pin': 'SET a new PIN for this card',
};

const VAULT_KEY = 'Vault key: ';

type Consent = {
  signature: Hex;
  nonce: string;
  /** Thumbprint of the vault's key that the text names; empty if it names none. */
  vaultKey: string;
};

type ConsentRequest = {
  cardId: string;
  action: Action;
  key: PublicJwk;
  /** Of a new PIN: the keys of the vault that the text may name. */
  trusted?: readonly string[];
};

/** Has the wallet consent to an action by a key of this app. A text that names another key would show the data to somebody else. */
const consent = async (client: Client, wallet: Wallet, { cardId, action, key, trusted }: ConsentRequest): Promise<Consent> => {
  const thumbprint = await thumbprintOf(key);
  const typedData = await client.pci.createCardDataChallenge({ cardId, action, thumbprint });
  const { authorization, nonce } = typedData.message;
  const named = authorization.split('\n').find((line) => line.startsWith(VAULT_KEY)) ?? '';
  const vaultKey = named.slice(VAULT_KEY.length);
  if (trusted !== undefined && !trusted.includes(vaultKey)) {
    throw new UnexpectedTextError(trusted.map((name) => VAULT_KEY + name).join('\n'), named);
  }
  expectTypedText(typedData, 'Florin Card Data', [
    FIRST_LINE[action],
    /^Card: \*{4} \d{4}$/,
    `Card ID: ${cardId}`,
    `App key: ${thumbprint}`,
    ...(trusted === undefined ? [] : [named]),
    EXPIRES,
  ]);
  return { nonce, vaultKey, signature: await signTyped(wallet, typedData) };
};

/**
 * Shows the number and security code of a card (`view-details`), or its PIN (`view-pin`). They are encrypted to a key that is made for this call and cannot leave it.
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const reveal = async <A extends keyof Revealed>(
  client: Client,
  wallet: Wallet,
  { cardId, action }: { cardId: string; action: A },
): Promise<Revealed[A]> => {
  const { privateKey, publicJwk } = await createKeyPair('ECDH');
  const { signature } = await consent(client, wallet, { cardId, action, key: publicJwk });
  const { jwe } = await client.pci.revealCardData({ cardId, action, signature, key: publicJwk });
  return JSON.parse(await openJwe(privateKey, jwe)) as Revealed[A];
};

export type NewPin = {
  cardId: string;
  /** Four digits. */
  pin: string;
  /**
   * Thumbprints of the vault's keys that the app knows, for example published by the platform's operator, or kept from the first time: a PIN is encrypted to no other key.
   * Without them, whoever is between the app and the vault could name a key of its own, and read a PIN that is then not set.
   */
  vaultKeys?: readonly string[];
};

/**
 * Sets the PIN of a card. It is encrypted to the vault's key that the signed text names.
 * @returns the thumbprint of that key, to be kept as one of the known ones
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const setPin = async (client: Client, wallet: Wallet, { cardId, pin, vaultKeys }: NewPin): Promise<{ vaultKey: string }> => {
  const { keys } = await client.pci.listVaultKeys();
  // By its thumbprint, not by the name that it is published under: anybody can publish a key under any name.
  const published = new Map(await Promise.all(keys.map(async (key) => [await thumbprintOf(key), key] as const)));
  const trusted = [...published.keys()].filter((name) => vaultKeys === undefined || vaultKeys.includes(name));
  const own = await createKeyPair('ECDSA');
  const { signature, nonce, vaultKey } = await consent(client, wallet, { cardId, action: 'set-pin', key: own.publicJwk, trusted });
  const key = published.get(vaultKey);
  if (key === undefined) throw new UnexpectedTextError(trusted.join('\n'), vaultKey);
  await client.pci.setPin({ cardId, jwe: await sealJwe(key, await signJws(own, {}, { pin, nonce })), signature });
  return { vaultKey };
};
