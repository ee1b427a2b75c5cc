import { type Client, type ClientOptions, createClient, type ThreeDSChallenge } from '@florin/client';
import {
  type ApprovedChange,
  addWallet,
  approveChange,
  decide,
  makeWalletPrimary,
  prepareDecision,
  reveal,
  setPin,
  signIn,
  UnexpectedTextError,
  type Wallet,
} from '@florin/client/viem';
import { createWalletClient, custom, type Hex, hexToString, isHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../support/client-sign-up.ts';
import { pinsFor } from '../support/pins.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newPhone, newWallet, PAYMENT, signTypedData, type TypedData } from '../support/story.ts';

const APP = { domain: 'localhost:3000', uri: 'http://localhost:3000/login' };

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

/** Changes the text of a response on its way to the app. */
type Tamper = (text: string, path: string) => string;

const open = (tamper: Tamper = (text) => text, options: Partial<ClientOptions> = {}): Client =>
  createClient({
    url: platform.url,
    fetch: async (url, init) => {
      const response = await platform.checkedFetch(url, init);
      const { status, headers } = response;
      return new Response(tamper(await response.text(), url.slice(platform.url.length)), { status, headers });
    },
    ...options,
  });

/** A wallet that counts what it was asked to sign. */
const countingWallet = () => {
  const wallet = newWallet();
  let asked = 0;
  const count = <F extends (...given: never[]) => unknown>(sign: F): F =>
    ((...given: Parameters<F>) => {
      asked += 1;
      return sign(...given);
    }) as F;
  return {
    wallet: { ...wallet, signMessage: count(wallet.signMessage), signTypedData: count(wallet.signTypedData) } as Wallet & { address: Hex },
    asked: () => asked,
  };
};

const settle = async (tamper?: Tamper) => {
  const client = open(tamper);
  const { wallet, asked } = countingWallet();
  await signIn(client, wallet, APP);
  await registerClient(client);
  const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: newPhone() });
  return { client, wallet, cardId, asked };
};

const raise = async (client: Client, cardId: string): Promise<ThreeDSChallenge> => {
  const { challengeId } = await client.sandbox.createChallenge({ cardId, ...PAYMENT });
  return (await client.threeDs.getChallenge({ challengeId })).challenge;
};

describe('decide', () => {
  it.each(['approve', 'decline'] as const)('%ss a payment with the wallet', async (decision) => {
    const { client, wallet, cardId } = await settle();
    const challenge = await raise(client, cardId);
    expect(await decide(client, wallet, { challenge, decision })).toMatchObject({ id: challenge.id, decision });
  });

  it('lets the app show the text before the wallet does', async () => {
    const { client, wallet, cardId, asked } = await settle();
    const challenge = await raise(client, cardId);
    const before = asked();
    const { text, expiresAt, submit } = await prepareDecision(client, { challenge, decision: 'approve' });
    expect(text.split('\n').slice(0, 2)).toEqual(['APPROVE this card payment', 'Amount: 49.99 EUR']);
    expect([expiresAt, asked()]).toEqual([challenge.expiresAt, before]);
    expect((await submit(wallet)).status).toBe('approved');
  });

  it('asks for the merchant’s name in quotation marks, and takes it without from platforms of earlier releases', async () => {
    let isEarlier = false;
    const { client, cardId } = await settle((text, path) =>
      isEarlier && path.includes('/decision-challenge') ? text.replace('Merchant: \\"Bookshop\\"', 'Merchant: Bookshop') : text,
    );
    const challenge = await raise(client, cardId);
    const textOf = async () => (await prepareDecision(client, { challenge, decision: 'approve' })).text;
    expect(await textOf()).toContain('\nMerchant: "Bookshop"');
    isEarlier = true;
    expect(await textOf()).toContain('\nMerchant: Bookshop');
  });

  it.each<[string, (text: string) => string]>([
    ['another amount', (text) => text.replace('Amount: 49.99', 'Amount: 4999.00')],
    ['another currency', (text) => text.replace('49.99 EUR', '49.99 USD')],
    ['another card', (text) => text.replace(/(Card: \*{4} )\d{4}/, '$10000')],
    ['another merchant', (text) => text.replace('Merchant: \\"Bookshop', 'Merchant: \\"Bookshop ')],
    ['another challenge', (text) => text.replace(/(Challenge: [^-]*-)[0-9a-f]{4}/, '$1ffff')],
    ['a later expiry', (text) => text.replace(/(Expires: )\d{4}/, '$12999')],
    ['the opposite decision', (text) => text.replace('APPROVE this', 'DECLINE this')],
    ['a line more', (text) => text.replace('Merchant: \\"Bookshop', 'Amount: 1.00 EUR\\nMerchant: \\"Bookshop')],
    ['the domain of another text', (text) => text.replace('"Florin 3DS"', '"Florin Wallets"')],
    [
      'a member that the wallet does not show',
      (text) => text.replace('"authorization","type":"string"', '"authorization","type":"bytes32"'),
    ],
  ])('does not ask the wallet to sign %s', async (_name, change) => {
    let isHostile = false;
    const { client, wallet, cardId, asked } = await settle((text, path) =>
      isHostile && path.includes('/decision-challenge') ? change(text) : text,
    );
    const challenge = await raise(client, cardId);
    const before = asked();
    isHostile = true;
    const error: unknown = await decide(client, wallet, { challenge, decision: 'approve' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnexpectedTextError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_TEXT' });
    expect(asked()).toBe(before);
    expect((await client.threeDs.getChallenge({ challengeId: challenge.id })).challenge.status).toBe('pending');
  });

  it('works with a wallet of a browser, and passes on that it refuses', async () => {
    const account = newWallet();
    let refuses = false;
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
        if (refuses) throw Object.assign(new Error('no'), { code: 4001 });
        const [first = '', second = ''] = params as string[];
        if (method === 'personal_sign') return account.signMessage({ message: isHex(first) ? hexToString(first) : first });
        const typed = JSON.parse(second) as TypedData;
        return signTypedData(account, { ...typed, types: { Message: typed.types.Message } });
      },
    };
    const wallet = createWalletClient({ account: account.address, transport: custom(provider) });
    const client = open();
    await signIn(client, wallet, APP);
    await registerClient(client);
    const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: newPhone() });
    const challenge = await raise(client, cardId);
    refuses = true;
    await expect(decide(client, wallet, { challenge, decision: 'approve' })).rejects.toMatchObject({ code: 4001 });
    refuses = false;
    expect((await decide(client, wallet, { challenge, decision: 'approve' })).status).toBe('approved');
  });
});

describe('signIn', () => {
  it.each<[string, (text: string) => string]>([
    ['another site', (text) => text.replace('localhost:3000 wants', 'localhost:3001 wants')],
    ['another page', (text) => text.replace('URI: http://localhost:3000/login', 'URI: http://localhost:3000/x')],
    ['another wallet', (text) => text.replace(/0x[0-9a-fA-F]{40}/, `0x${'1'.repeat(40)}`)],
    ['another purpose', (text) => text.replace(/Sign in to ([^.]*)\./, 'Add this wallet to my $1 account.')],
  ])('does not ask the wallet to sign for %s', async (_name, change) => {
    const { wallet, asked } = countingWallet();
    await expect(signIn(open(change), wallet, APP)).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(asked()).toBe(0);
  });
});

describe('addWallet and makeWalletPrimary', () => {
  it('change the wallets of a user', async () => {
    const { client, wallet } = await settle();
    const added = newWallet();
    expect(await addWallet(client, { ...APP, wallet: added, approver: wallet })).toMatchObject({ address: added.address });
    const other = open();
    expect(await signIn(other, added, APP)).toEqual({ userId: await client.session.userId() });
    await makeWalletPrimary(client, wallet);
  });

  it('do not ask a wallet to approve another one', async () => {
    const { client, wallet, asked } = await settle((text, path) =>
      path === '/user/wallets/challenge' ? text.replace(/Wallet: 0x[0-9a-fA-F]{40}/, `Wallet: 0x${'1'.repeat(40)}`) : text,
    );
    const before = asked();
    await expect(addWallet(client, { ...APP, wallet: newWallet(), approver: wallet })).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(asked()).toBe(before);
  });
});

describe('approveChange', () => {
  const euros = (amount: string) => ({ amount, currency: 'EUR' });

  it('lets a card pay more, and removes a wallet', async () => {
    const { client, wallet, cardId } = await settle();
    const lower = { cardId, perTransaction: euros('100'), daily: euros('1000'), weekly: euros('5'), monthly: null, atm: euros('0') };
    await client.cards.setCardLimits(lower);
    const limits = { ...lower, perTransaction: null, daily: euros('123456'), atm: euros('7') };
    await expect(client.cards.setCardLimits(limits)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    const higher = await approveChange(client, wallet, { change: 'limits', given: limits });
    expect(await client.cards.setCardLimits({ ...limits, approval: higher })).toMatchObject({ daily: { amount: '123456' } });

    const closed = {
      cardId,
      categories: { allow: ['5942', '5411'], deny: ['7995'] },
      countries: { allow: ['FR', 'DE'], deny: [] },
      merchants: { allow: [], deny: ['M, "1"', 'A 2'] },
      online: false,
      contactless: false,
      atm: false,
    };
    await client.cards.setCardControls(closed);
    const given = { ...closed, countries: { allow: ['FR', 'US', 'DE'], deny: ['GB'] }, online: true };
    const opened = await approveChange(client, wallet, { change: 'controls', given });
    expect(await client.cards.setCardControls({ ...given, approval: opened })).toMatchObject({ online: true, contactless: false });
    const some = { cardId, merchants: { deny: [] }, atm: true };
    const approval = await approveChange(client, wallet, { change: 'controls', given: some });
    expect(await client.cards.updateCardControls({ ...some, approval })).toMatchObject({ merchants: { allow: [], deny: [] }, atm: true });

    await client.cards.freezeCard({ cardId });
    const thaw = await approveChange(client, wallet, { change: 'unfreeze', given: { cardId } });
    expect(await client.cards.unfreezeCard({ cardId, approval: thaw })).toMatchObject({ status: 'active' });

    const added = newWallet();
    const { address } = await addWallet(client, { ...APP, wallet: added, approver: wallet });
    const removal = await approveChange(client, wallet, { change: 'remove_wallet', given: { address } });
    expect(await client.user.removeWallet({ address, approval: removal })).toEqual({ success: true });
  });

  it.each<[string, (cardId: string) => ApprovedChange, Tamper]>([
    [
      'a higher limit',
      (cardId) => ({ change: 'limits', given: { cardId, daily: euros('1000') } }),
      (text) => text.replace('Per day: 10.00', 'Per day: 9000.00'),
    ],
    [
      'another limit',
      (cardId) => ({ change: 'limits', given: { cardId, daily: euros('1000') } }),
      (text) => text.replace('EUR', 'EUR\\nPer month: as the card program'),
    ],
    [
      'another card',
      (cardId) => ({ change: 'unfreeze', given: { cardId } }),
      (text) => text.replace(/Card ID: [0-9a-f]{8}/, 'Card ID: 01234567'),
    ],
    [
      'another control',
      (cardId) => ({ change: 'controls', given: { cardId, atm: true } }),
      (text) => text.replace('Cash withdrawals: on', 'Online payments: on'),
    ],
    ['another purpose', (cardId) => ({ change: 'unfreeze', given: { cardId } }), (text) => text.replace('Florin Cards', 'Florin Wallets')],
    [
      'another change',
      (cardId) => ({ change: 'unfreeze', given: { cardId } }),
      (text) => text.replace('UNFREEZE a card', 'CHANGE limits of a card'),
    ],
    [
      'another wallet',
      () => ({ change: 'remove_wallet', given: { address: newWallet().address } }),
      (text) => text.replace(/Wallet: 0x[0-9a-fA-F]{40}/, `Wallet: 0x${'1'.repeat(40)}`),
    ],
  ])('does not ask the wallet to sign for %s', async (_name, changeOf, tamper) => {
    const { client, wallet, cardId, asked } = await settle((text, path) => (path.endsWith('/challenge') ? tamper(text, path) : text));
    const before = asked();
    await expect(approveChange(client, wallet, changeOf(cardId))).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(asked()).toBe(before);
  });
});

describe('reveal and setPin', () => {
  it('show a card and its PIN to this call only', async () => {
    const { client, wallet, cardId } = await settle();
    const { last4 } = await client.cards.getCard({ cardId });
    const { pan, expYear, cvv2 } = await reveal(client, wallet, { cardId, action: 'view-details' });
    expect([pan.slice(-4), expYear, cvv2]).toEqual([last4, expect.any(Number), expect.stringMatching(/^\d{3}$/)]);
    const [pin] = pinsFor(pan);
    await setPin(client, wallet, { cardId, pin });
    expect(await reveal(client, wallet, { cardId, action: 'view-pin' })).toEqual({ pin });
  });

  it('do not ask the wallet to sign for a key of somebody else', async () => {
    const { client, wallet, cardId, asked } = await settle((text, path) =>
      path.includes('/challenge?') ? text.replace(/App key: [\w-]{43}/, `App key: ${'A'.repeat(43)}`) : text,
    );
    const before = asked();
    await expect(reveal(client, wallet, { cardId, action: 'view-details' })).rejects.toBeInstanceOf(UnexpectedTextError);
    await expect(setPin(client, wallet, { cardId, pin: '8302' })).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(asked()).toBe(before);
  });

  it('encrypt a PIN to no key that the app does not know, even if the text and the list name it', async () => {
    const { client, wallet, cardId, asked } = await settle();
    const [one, other] = pinsFor((await reveal(client, wallet, { cardId, action: 'view-details' })).pan);
    const { vaultKey } = await setPin(client, wallet, { cardId, pin: one });
    expect(await setPin(client, wallet, { cardId, pin: other, vaultKeys: ['A'.repeat(43), vaultKey] })).toEqual({ vaultKey });
    const before = asked();
    await expect(setPin(client, wallet, { cardId, pin: '8304', vaultKeys: ['A'.repeat(43)] })).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(asked()).toBe(before);
  });

  it('do not encrypt a PIN to a key that is published under the name of the vault’s', async () => {
    const other = 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4';
    const { client, wallet, cardId } = await settle((text, path) =>
      path === '/pci/keys' ? text.replace(/"x":"[^"]+"/, `"x":"${other}"`) : text,
    );
    await expect(setPin(client, wallet, { cardId, pin: '8302' })).rejects.toBeInstanceOf(UnexpectedTextError);
  });
});
