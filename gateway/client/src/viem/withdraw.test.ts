import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createClient } from '../index.ts';
import { json, scriptedFetch } from '../testing.ts';
import { prepareWithdrawal, UnexpectedTextError, type Wallet, withdraw } from './index.ts';

const SAFE = '0xE8bd510453C480e53ca5d5B04A43AcC8e8c98236';
const TOKEN = '0x52908400098527886E0F7030069857D2E4169EE7';
const TO = '0xDf6e26C4D2e777250Fc7ff9FbFDD73C6E921eb12';
const NO_ONE = `0x${'0'.repeat(40)}`;

const TYPES: readonly (readonly [string, string])[] = [
  ['to', 'address'],
  ['value', 'uint256'],
  ['data', 'bytes'],
  ['operation', 'uint8'],
  ['safeTxGas', 'uint256'],
  ['baseGas', 'uint256'],
  ['gasPrice', 'uint256'],
  ['gasToken', 'address'],
  ['refundReceiver', 'address'],
  ['nonce', 'uint256'],
];

/** `transfer(TO, 1000)`, as it is on the wire. */
const DATA = `0xa9059cbb000000000000000000000000${TO.slice(2).toLowerCase()}00000000000000000000000000000000000000000000000000000000000003e8`;

const MESSAGE = {
  to: TOKEN,
  value: '0',
  data: DATA,
  operation: 0,
  safeTxGas: '200000',
  baseGas: '0',
  gasPrice: '0',
  gasToken: NO_ONE,
  refundReceiver: NO_ONE,
  nonce: '3',
};

type Offer = { safe?: string; chainId?: number; lostAnswers?: number /** Empty: none is configured. */; contract?: string };

/** A platform that offers a transaction, and what the wallet and the platform got. */
const offer = (changed: Partial<typeof MESSAGE>, { safe = SAFE, chainId = 100, lostAnswers = 0, contract = TOKEN }: Offer = {}) => {
  let lost = 0;
  const balances = { data: [{ tokens: [{ token: 'EURe', ...(contract === '' ? {} : { contract: contract.toLowerCase() }) }] }] };
  const types = { SafeTx: TYPES.map(([name, type]) => ({ name, type })) };
  const typedData = { domain: { chainId, verifyingContract: safe }, primaryType: 'SafeTx', types, message: { ...MESSAGE, ...changed } };
  const { fetch, seen } = scriptedFetch(({ url }) => {
    if (url.endsWith('/user/account')) return json(200, { safeAddress: SAFE, chain: { name: 'gnosis', id: '100' } });
    if (url.endsWith('/user/balances/v2')) return json(200, balances);
    if (url.endsWith('/challenge')) return json(200, { withdrawalId: 'w', expiresAt: '', typedData });
    lost += 1;
    if (lost <= lostAnswers) throw new TypeError('fetch failed');
    return json(200, { id: 'w', status: 'processing' });
  });
  return { client: createClient({ url: 'http://gateway', token: 'token', fetch, retries: 0 }), seen, submitted: () => seen.at(-1) };
};

const wallet = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const REQUEST = { token: 'EURe', amount: '1000', to: TO };

describe('withdraw', () => {
  it('has the wallet sign the transfer that was asked for', async () => {
    const { client, submitted } = offer({});
    expect(await withdraw(client, wallet, REQUEST)).toEqual({ id: 'w', status: 'processing' });
    expect(submitted()?.body).toEqual({ withdrawalId: 'w', signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) });
  });

  it.each<[string, ...Parameters<typeof offer>]>([
    ['to another address', { data: DATA.replace('df6e26', 'df6e27') }],
    ['of another amount', { data: DATA.replace(/3e8$/, '3e9') }],
    ['with more than the transfer', { data: `${DATA}00` }],
    ['of another token', { to: NO_ONE }],
    ['that runs foreign code as the Safe', { operation: 1 }],
    ['of the chain’s own currency', { value: '1' }],
    ['that can be executed after it has failed', { safeTxGas: '0' }],
    ['with gas without bound', { safeTxGas: '1000001' }],
    ['that pays somebody for gas', { gasPrice: '1' }],
    ['that pays gas in a token', { gasToken: TOKEN }],
    ['that pays gas to somebody', { refundReceiver: TO }],
    ['of another Safe', {}, { safe: TOKEN }],
    ['on another chain', {}, { chainId: 1 }],
  ])('does not ask the wallet for a transaction %s', async (_name, ...offered) => {
    const { client, submitted } = offer(...offered);
    await expect(withdraw(client, wallet, REQUEST)).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(submitted()?.url).not.toMatch(/withdrawals$/);
  });

  it('asks for no signature over a transaction that is not the next one of the Safe, as a node shows it', async () => {
    const nodeAt = (chainId: number, nonce: number) => ({
      request: async ({ method, params }: { method: string; params?: [{ to: string; data: string }] }) => {
        if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
        expect(params?.[0]).toEqual({ to: SAFE, data: '0xaffed0e0' });
        return `0x${nonce.toString(16).padStart(64, '0')}`;
      },
    });
    for (const node of [nodeAt(100, 2), nodeAt(100, 4), nodeAt(1, 3)]) {
      const { client, submitted } = offer({});
      await expect(withdraw(client, wallet, { ...REQUEST, node })).rejects.toBeInstanceOf(UnexpectedTextError);
      expect(submitted()?.url).not.toMatch(/withdrawals$/);
    }
    expect(await withdraw(offer({}).client, wallet, { ...REQUEST, node: nodeAt(100, 3) })).toMatchObject({ id: 'w' });
    // A wallet in a browser has a node of its own, which counts if it is on the account's chain.
    const inBrowser = (chainId: number, nonce: number) =>
      ({ account: wallet, signTypedData: wallet.signTypedData, ...nodeAt(chainId, nonce) }) as unknown as Wallet;
    await expect(withdraw(offer({}).client, inBrowser(100, 4), REQUEST)).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(await withdraw(offer({}).client, inBrowser(100, 3), REQUEST)).toMatchObject({ id: 'w' });
    expect(await withdraw(offer({}).client, inBrowser(1, 4), REQUEST)).toMatchObject({ id: 'w' });
  });

  it('asks for no signature while the contract of the token is not known', async () => {
    const { client, seen } = offer({}, { contract: '' });
    await expect(withdraw(client, wallet, REQUEST)).rejects.toBeInstanceOf(UnexpectedTextError);
    expect(seen.some(({ url }) => url.endsWith('/withdrawals'))).toBe(false);
  });

  it('believes an app that knows the contract more than the platform', async () => {
    const { client } = offer({ to: NO_ONE }, { contract: NO_ONE });
    await expect(withdraw(client, wallet, { ...REQUEST, tokenAddress: TOKEN })).rejects.toBeInstanceOf(UnexpectedTextError);
    const own = offer({}, { contract: '' });
    expect(await withdraw(own.client, wallet, { ...REQUEST, tokenAddress: TOKEN.toLowerCase() })).toMatchObject({ id: 'w' });
  });
});

describe('prepareWithdrawal', () => {
  it('is submitted again as the same withdrawal after an unknown outcome', async () => {
    const { client, seen } = offer({}, { lostAnswers: 1 });
    const prepared = await prepareWithdrawal(client, REQUEST);
    await expect(prepared.submit(wallet)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(await prepared.submit(wallet)).toEqual({ id: 'w', status: 'processing' });
    const bodies = seen.filter(({ url }) => url.endsWith('/withdrawals')).map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(seen.filter(({ url }) => url.endsWith('/withdrawals/challenge'))).toHaveLength(1);
  });
});
