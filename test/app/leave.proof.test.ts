import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { leaveFileOf } from '@florin/client/viem';
import { deployToken, describeOnEvm, type Evm, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openContext, START_MS } from '../support/in-browser.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { startPlatformInProcess } from '../support/platform-in-process.ts';
import { accountOf, newWallet, registerPerson } from '../support/story.ts';

const CHAIN_ID = 100;
const CHAIN = '0x64';
const PAGE = pathToFileURL(resolve('gateway/client/offline/leave.html')).href;
const RICH = '0xde0b6b3a7640000';

describeOnEvm('the page for leaving without the platform', () => {
  let evm: Evm;
  let eure: TestToken;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    eure = await deployToken(evm);
  }, START_MS);
  afterAll(() => evm?.close());

  /** A person with money and the file of their account, of a platform that is switched off since. */
  const leftBehind = async () => {
    const [cosignerKey, relayerKey] = [generatePrivateKey(), generatePrivateKey()];
    const platform = await startPlatformInProcess(
      {
        ...onChainEure({ address: eure.address }),
        ACCOUNTS_NEED_SAFE: 'true',
        SAFE_PLATFORM_OWNER: privateKeyToAddress(cosignerKey),
      },
      {
        chain: {
          CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
          CHAIN_RELAYER_KEY: relayerKey,
          CHAIN_COSIGNER_KEYS: cosignerKey,
        },
      },
    );
    try {
      const { wallet, token } = await registerPerson(platform.api, newWallet());
      const file = await leaveFileOf(platform.api.as(token), wallet.address);
      const { safeAddress } = await accountOf(platform.api, token);
      await eure.pay(safeAddress, 700n);
      await evm.rpc('hardhat_setBalance', [wallet.address, RICH]);
      await evm.rpc('hardhat_impersonateAccount', [wallet.address]);
      return { wallet, file };
    } finally {
      await platform.close();
    }
  };

  it('takes everything from a file on disk, with the wallet and without any server', { timeout: 240_000 }, async (test) => {
    const browser = await openBrowser((line) => void process.stdout.write(`${line}\n`));
    if (browser === undefined) return test.skip();
    const { wallet, file } = await leftBehind();
    const { context } = await openContext(browser, { viewport: { width: 390, height: 844 } });
    const asked: string[] = [];
    context.on('request', (request) => asked.push(request.url()));
    // The wallet in the browser: it signs for the person, and has a node.
    let walletChain = CHAIN;
    await context.exposeFunction('askWallet', (method: string, params: object[]) =>
      method === 'eth_requestAccounts'
        ? [wallet.address]
        : method === 'eth_chainId'
          ? walletChain
          : evm.rpc(method, method === 'eth_sendTransaction' ? [{ ...params[0], gas: '0x4c4b40' }] : params),
    );
    await context.addInitScript('window.ethereum = { request: ({ method, params }) => askWallet(method, params) }');
    const page = await context.newPage();
    await page.goto(PAGE);
    await page.getByLabel("Your account's file").fill(JSON.stringify(file));
    const step = page.getByRole('status');
    const look = async (expected: string): Promise<void> => {
      await page.getByRole('button', { name: 'What is next?' }).click();
      await step.filter({ hasText: expected }).waitFor();
    };
    const send = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send with your wallet' }).click();
      await step.filter({ hasText: 'Sent: 0x' }).waitFor();
    };
    // The wallet has been switched to another chain since: nothing is sent.
    await look('Deploy the account');
    walletChain = '0x1';
    await page.getByRole('button', { name: 'Send with your wallet' }).click();
    await step.filter({ hasText: `Switch your wallet to chain ${CHAIN_ID}` }).waitFor();
    walletChain = CHAIN;
    for (const expected of ['Deploy the account', 'Deploy the module', 'Set the account up', 'Request to take the account over']) {
      await look(expected);
      await send();
    }
    await look('Wait, and come back after');
    await evm.rpc('evm_increaseTime', [90_001]);
    await evm.mine();
    await look('take the account over');
    await send();
    await look('belongs to your wallet alone');
    const to = newWallet().address;
    await page.getByLabel('To this address').fill(to);
    await page.getByRole('button', { name: 'Move everything' }).click();
    await step.filter({ hasText: 'Move everything.' }).waitFor();
    await send();
    expect(await eure.balanceOf(to)).toBe(700n);
    expect(asked).toEqual([PAGE]);
    await browser.close();
  });
});
