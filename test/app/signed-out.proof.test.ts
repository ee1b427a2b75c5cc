import { hexToString, recoverMessageAddress, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { collectScripts, countBytes } from './first-load.ts';

const RUN_MS = 120_000;

const app = openApp();

/** JavaScript of the first screen, gzipped; and everything that is transferred until then, with headers. */
const MAX_BYTES = 150 * 1024;

describe('the app before a sign-in', () => {
  it('loads little', { timeout: RUN_MS }, async (test) => {
    const { page } = await app.visit(test, { wallet: createAnnouncedWallet() });
    const scripts = collectScripts(page);
    const all = await countBytes(page);
    const session = await page.context().newCDPSession(page);
    // As if nobody had been here before.
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.setBypassServiceWorker', { bypass: true });
    await page.reload({ waitUntil: 'networkidle' });
    await page
      .getByRole('button', { name: /^Continue with/ })
      .first()
      .waitFor();
    const bytes = await scripts();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(all()).toBeGreaterThan(50_000);
    expect(all()).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('fits every width and colour scheme, and everyone can use it', { timeout: RUN_MS }, async (test) => {
    const { page } = await app.visit(test);
    await page.waitForSelector('main');
    await checkScreen(page, 'start');
  });

  it('is there for an address of one of its screens, after a reload, and after going back', { timeout: RUN_MS }, async (test) => {
    const { page } = await app.visit(test, { path: '/' });
    await page.waitForSelector('main');
    await page.goto(`${app.url}?from=mail`);
    await page.waitForSelector('main');
    await page.reload();
    await page.goBack();
    await page.waitForSelector('main');
    expect(new URL(page.url()).pathname).toMatch(/^\/app/);
  });
});

describe('a wallet that is announced to the app', () => {
  const ask = (method: string, params: unknown[] = []): string =>
    `new Promise((resolve) => {
       addEventListener('eip6963:announceProvider', ({ detail }) => resolve(detail.provider), { once: true });
       dispatchEvent(new Event('eip6963:requestProvider'));
     }).then((provider) => provider.request(${JSON.stringify({ method, params })}))
       .then((result) => ({ result }), ({ code }) => ({ code }))`;

  it('signs with a key that the page never has, and can refuse', { timeout: RUN_MS }, async (test) => {
    const wallet = createAnnouncedWallet();
    const { page } = await app.visit(test, { wallet });
    const message = stringToHex('hello');
    const { address } = wallet.wallet;
    expect(await page.evaluate(ask('eth_requestAccounts'))).toEqual({ result: [address] });
    const { result } = await page.evaluate<{ result: `0x${string}` }>(ask('personal_sign', [message, address]));
    expect(await recoverMessageAddress({ message: hexToString(message), signature: result })).toBe(address);
    wallet.refuseNext();
    expect(await page.evaluate(ask('personal_sign', [message, address]))).toEqual({ code: 4001 });
  });

  it('signs no typed data of another chain before it is switched', { timeout: RUN_MS }, async (test) => {
    const wallet = createAnnouncedWallet();
    wallet.setChain(1);
    const { page } = await app.visit(test, { wallet });
    const types = {
      Message: [
        { name: 'authorization', type: 'string' },
        { name: 'nonce', type: 'uint256' },
      ],
    };
    const typed = {
      domain: { name: 'Florin', version: '1', chainId: 100 },
      primaryType: 'Message',
      types,
      message: { authorization: 'a', nonce: '1' },
    };
    const sign = ask('eth_signTypedData_v4', [wallet.wallet.address, JSON.stringify(typed)]);
    expect(await page.evaluate(sign)).toEqual({ code: -32602 });
    expect(await page.evaluate(ask('wallet_switchEthereumChain', [{ chainId: '0x64' }]))).toEqual({ result: null });
    expect(await page.evaluate(sign)).toEqual({ result: expect.stringMatching(/^0x[0-9a-f]{130}$/) });
  });
});
