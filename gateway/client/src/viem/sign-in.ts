import type { Client } from '../create-client.ts';
import type { Output } from '../operations.ts';
import { anyCase, approveWallet } from './approve-change.ts';
import { expectLines } from './expected-text.ts';
import { addressOf, signText, type Wallet } from './wallet.ts';

export type App = {
  /** Authority of the app, for example `location.host`. It belongs to a partner of the platform. */
  domain: string;
  /** Of the page that asks, for example `location.origin`. */
  uri: string;
};

type Purpose = 'sign_in' | 'add_wallet';

/** The statement of a message is what the wallet shows of its purpose. */
const STATEMENT: Readonly<Record<Purpose, RegExp>> = {
  sign_in: /^Sign in to .+\.$/,
  add_wallet: /^Add this wallet to my .+ account\. It will be able to sign in and to approve payments\.$/,
};

/** Has a wallet sign a message (EIP-4361) that is for this app, this wallet and this purpose. */
const signMessage = async (client: Client, wallet: Wallet, { domain, uri }: App, purpose: Purpose) => {
  const address = addressOf(wallet);
  const { message } = await client.auth.createSiweMessage({ address, domain, uri, purpose });
  expectLines(message, [
    `${domain} wants you to sign in with your Ethereum account:`,
    anyCase('', address),
    '',
    STATEMENT[purpose],
    '',
    `URI: ${uri}`,
    'Version: 1',
    /^Chain ID: \d+$/,
    /^Nonce: [A-Za-z0-9]{8,}$/,
    /^Issued At: \S+$/,
    /^Expiration Time: \S+$/,
  ]);
  return { message, signature: await signText(wallet, message) };
};

/**
 * Signs in with a wallet. The session of the client begins.
 * @returns `userId`, which is absent while the wallet is not registered
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const signIn = async (client: Client, wallet: Wallet, app: App): Promise<{ userId?: string }> => {
  const { userId } = await client.auth.signIn(await signMessage(client, wallet, app, 'sign_in'));
  return userId === undefined ? {} : { userId };
};

/**
 * Adds a wallet to the signed-in user: the new wallet proves itself, one of the user's own approves.
 * @throws UnexpectedTextError, FlorinError, and what a wallet throws
 */
export const addWallet = async (
  client: Client,
  { wallet, approver, ...app }: App & { wallet: Wallet; approver: Wallet },
): Promise<Output<'user.addWallet'>> => {
  const proof = await signMessage(client, wallet, app, 'add_wallet');
  return client.user.addWallet({ ...proof, approval: await approveWallet(client, approver, addressOf(wallet), 'add') });
};

/**
 * Makes a wallet of the signed-in user the primary one.
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const makeWalletPrimary = async (client: Client, wallet: Wallet): Promise<Output<'user.makeWalletPrimary'>> => {
  const address = addressOf(wallet);
  return client.user.makeWalletPrimary({ wallet: address, approval: await approveWallet(client, wallet, address, 'make_primary') });
};
