import { afterEach, expect, test, vi } from 'vitest';
import { forgetWallet, keepWallet } from './chosen-wallet.ts';
import type { Provider } from './eip1193.ts';
import { startDiscovery } from './find-wallets.ts';
import { isContract } from './is-contract.ts';

const CHAIN_ID = 100;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A wallet that has announced itself, and signed in. */
const choose = (rdns: string, request: Provider['request']): void => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  startDiscovery();
  const detail = { info: { rdns, name: rdns }, provider: { request } };
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  keepWallet({ rdns, address: ADDRESS });
};

const withCode =
  (code: unknown): Provider['request'] =>
  async ({ method }) =>
    method === 'eth_chainId' ? `0x${CHAIN_ID.toString(16)}` : code;

afterEach(() => {
  forgetWallet();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([
  ['0x6080', true],
  ['0x', false],
  [`0xef0100${'0'.repeat(40)}`, false],
  [null, false],
])('reads from the code %j whether a contract is at an address: %j', async (code, is) => {
  choose(`test.code-${code}`, withCode(code));
  expect(await isContract(CHAIN_ID, ADDRESS)).toBe(is);
});

test('does not wait longer than three seconds for a wallet', async () => {
  vi.useFakeTimers();
  choose('test.silent', () => new Promise(() => undefined));
  const asked = isContract(CHAIN_ID, ADDRESS);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await asked).toBe(false);
});
