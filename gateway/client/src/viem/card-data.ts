import type { Hex } from 'viem';
import { signJws } from '../compact-jws.ts';
import type { Client } from '../create-client.ts';
import { createKeyPair, type PublicJwk, thumbprintOf } from '../elliptic-keys.ts';
import { openJwe, sealJwe } from './compact-jwe.ts';
import { EXPIRES, expectTypedText, UnexpectedTextError } from './expected-text.ts';
import { signTyped, type Wallet } from './wallet.ts';

export type CardDetails = { pan: string; expMonth: number; expYear: number; cvv2: string };

/** What each way of looking at a card shows. */
type Revealed = { 'view-details': CardDetails; 'view-pin': { pin: string } };

type Action = keyof Revealed | 'set-pin';

const FIRST_LINE: Readonly<Record<Action, string>> = {
  'view-details': 'SHOW the number and security code of this card',
  'view-pin': 'SHOW the PIN of this card',
  'set-pin': 'SET a new PIN for this card',
};

const VAULT_KEY = /^Vault key: ([A-Za-z0-9_-]{43})$/;

/** Has the wallet consent to an action by a key of this app. A text that names another key would show the data to somebody else. */
const consent = async (
  client: Client,
  wallet: Wallet,
  { cardId, action, key }: { cardId: string; action: Action; key: PublicJwk },
): Promise<{ signature: Hex; text: string; nonce: string }> => {
  const thumbprint = await thumbprintOf(key);
  const typedData = await client.pci.createCardDataChallenge({ cardId, action, thumbprint });
  expectTypedText(typedData, 'Florin Card Data', [
    FIRST_LINE[action],
    /^Card: \*{4} \d{4}$/,
    `Card ID: ${cardId}`,
    `App key: ${thumbprint}`,
    ...(action === 'set-pin' ? [VAULT_KEY] : []),
    EXPIRES,
  ]);
  const { authorization: text, nonce } = typedData.message;
  return { text, nonce, signature: await signTyped(wallet, typedData) };
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

/**
 * Sets the PIN of a card. It is encrypted to the vault's key that the signed text names.
 * @param given.pin four digits
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const setPin = async (client: Client, wallet: Wallet, { cardId, pin }: { cardId: string; pin: string }): Promise<void> => {
  const key = await createKeyPair('ECDSA');
  const { keys } = await client.pci.listVaultKeys();
  const { signature, text, nonce } = await consent(client, wallet, { cardId, action: 'set-pin', key: key.publicJwk });
  // By its thumbprint, not by the name that it is published under: anybody can publish a key under any name.
  const names = await Promise.all(keys.map(thumbprintOf));
  const vaultKey = keys[names.findIndex((name) => text.split('\n').includes(`Vault key: ${name}`))];
  if (vaultKey === undefined) throw new UnexpectedTextError(names.map((name) => `Vault key: ${name}`).join('\n'), text);
  const jwe = await sealJwe(vaultKey, await signJws(key, {}, { pin, nonce }));
  await client.pci.setPin({ cardId, jwe, signature });
};
