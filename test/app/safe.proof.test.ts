import { readFile } from 'node:fs/promises';
import { deployToken, describeOnEvm, type Evm, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import type { Page } from 'playwright-core';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSoon, newEmail, START_MS } from '../support/in-browser.ts';
import { newHeadKey } from '../support/new-head-key.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { replaceAccount } from '../support/replace-account.ts';
import { replaceWallet } from '../support/replace-wallet.ts';
import { requestExit } from '../support/request-exit.ts';
import { newWallet, signIn } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { type AppInBrowser, startAppInBrowser } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { closeSheet, goTo, orderFirstCard, registerAs, signInWith } from './steps.ts';

const RUN_MS = 300_000;

const CHAIN_ID = 100;

describeOnEvm('the app on a chain', () => {
  let evm: Evm;
  let eure: TestToken;
  let app: AppInBrowser;

  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    eure = await deployToken(evm);
    const [relayerKey, cosignerKey] = [generatePrivateKey(), generatePrivateKey()];
    await evm.rpc('hardhat_setBalance', [privateKeyToAddress(relayerKey), '0x56bc75e2d63100000']);
    app = await startAppInBrowser(
      {
        ...onChainEure({ address: eure.address, decimals: 2 }),
        ACCOUNTS_NEED_SAFE: 'true',
        LEDGER_HEAD_KEY: newHeadKey(),
        SAFE_PLATFORM_OWNER: privateKeyToAddress(cosignerKey),
      },
      {
        chain: {
          CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
          CHAIN_POLL_MS: '200',
          RESERVES_INTERVAL_SECONDS: '30',
          CHAIN_RELAYER_KEY: relayerKey,
          CHAIN_COSIGNER_KEY: cosignerKey,
        },
      },
    );
  }, START_MS);
  afterAll(async () => {
    await app?.close();
    await evm?.close();
  });

  const ask = (method: string, params: unknown[]) => evm.rpc(method, params);

  const addressShown = async (page: Page): Promise<Address> => {
    await goTo(page, 'Home');
    await page.getByRole('link', { name: 'Add money' }).first().click();
    const text = await page
      .getByText(/^0x[0-9a-fA-F]{40}$/)
      .first()
      .textContent();
    return text as Address;
  };

  it('has the wallet set up the account, and withdraws once although every first answer is lost', { timeout: RUN_MS }, async (test) => {
    const wallet = createAnnouncedWallet(newWallet(), 'first', ask);
    const { page, context } = await app.visit(test, { wallet });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await signInWith(page, 'Announced Wallet');
    await registerAs(page, newEmail(), 'Set up your account');
    await page.getByText('after 25 hours').waitFor();
    await checkScreen(page, 'set-up');
    await button('Sign and set up').click();
    await page.getByRole('heading', { level: 1, name: 'Name a backup key' }).waitFor();
    await checkScreen(page, 'backup-key-offer');
    await button('Later').click();
    await page.getByRole('heading', { level: 1, name: 'Order your card' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Order your card' }).waitFor();
    await orderFirstCard(page);

    await eure.pay(await addressShown(page), 1000n);
    await goTo(page, 'Home');
    await page.getByText('€10.00').first().waitFor();

    const to = newWallet().address;
    const contract = (await deployToken(evm)).address;
    await goTo(page, 'Account');
    await page.getByRole('link', { name: 'Withdraw' }).click();
    await page.getByLabel('Amount').fill('4.00');
    await page.getByLabel('To this address').fill(to.slice(0, -1));
    await button('Continue').click();
    await page.getByText('This is not an address.').waitFor();
    await page.getByLabel('To this address').fill('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    await page.getByText('do not match the checksum').waitFor();
    await page.getByLabel('To this address').fill(to);
    await button('Continue').click();
    await page.getByRole('dialog').getByText('€4.00').waitFor();
    await checkScreen(page, 'withdraw');
    await closeSheet(page);
    await page.getByLabel('To this address').fill(contract);
    await button('Continue').click();
    await page.getByText('A contract is at this address.').waitFor();
    await checkScreen(page, 'withdraw-to-contract');
    await closeSheet(page);
    await page.getByLabel('To this address').fill(to);
    await button('Continue').click();
    await page.getByRole('dialog').getByText('€4.00').waitFor();
    expect(await page.getByText('A contract is at this address.').count()).toBe(0);

    let isLossy = true;
    let submissions = 0;
    await context.route('**/user/withdrawals', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      submissions += 1;
      if (!isLossy) return route.continue();
      await route.fetch();
      return route.abort('connectionfailed');
    });
    const asked = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
    const before = asked();
    await button('Sign the withdrawal').click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    isLossy = false;
    await button('Sign the withdrawal').click();
    await page.getByText('The withdrawal is on its way.').waitFor();
    expect(submissions).toBeGreaterThan(1);
    expect(asked()).toBe(before + 1);

    await expectSoon(() => eure.balanceOf(to)).toBe(400n);
    await goTo(page, 'Account');
    await page.getByText('Paid out').waitFor();
    expect(await page.getByText('Paid out').count()).toBe(1);
    await page.getByRole('button', { name: /^Withdrawal Paid out/ }).click();
    await page.getByLabel('Name of the recipient').fill('Ada');
    await button('Save the name').click();
    await page.getByText('The name is saved.').waitFor();
    await checkScreen(page, 'withdrawal');
    await closeSheet(page);
    await page.getByRole('link', { name: 'Withdraw' }).click();
    await page.getByRole('group', { name: 'Used before' }).getByRole('button', { name: 'Ada', exact: true }).click();
    expect(await page.getByLabel('To this address').inputValue()).toBe(to);
    await page.getByText('You have named this address “Ada”.').waitFor();
    await checkScreen(page, 'withdraw-again');
    await goTo(page, 'Home');
    await page.getByText('€6.00').first().waitFor();

    await goTo(page, 'Security');
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return readFile(await download.path(), 'utf8');
    };
    expect(JSON.parse(await save('Save your account’s file'))).toMatchObject({ plan: { chainId: 100 }, tokens: [{ token: 'EURe' }] });
    expect(await save('Save the page')).toBe(await readFile('gateway/client/offline/leave.html', 'utf8'));
    await checkScreen(page, 'security-leave');
  });

  it('checks the reserves in one press, and moves the money of a former account', { timeout: RUN_MS }, async (test) => {
    const announced = createAnnouncedWallet();
    const { page } = await app.visit(test, { wallet: announced });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await signInWith(page, 'Announced Wallet');
    await registerAs(page, newEmail(), 'Set up your account');
    await button('Sign and set up').click();
    await button('Later').click();
    await orderFirstCard(page);
    const former = await addressShown(page);
    await eure.pay(former, 1000n);
    await goTo(page, 'Home');
    await page.getByText('€10.00').first().waitFor();

    const { accessToken: token } = await signIn(app.platform.api, announced.wallet);
    const accountOf = () => app.platform.api.call<{ id: string; deployment: { delayModule: Address } }>('GET', '/user/account', { token });
    const isPublished = async () =>
      (
        await app.platform.api
          .as(token)
          .userAccount.getAccountReserves()
          .catch(() => undefined)
      )?.owed.length;
    await expectSoon(isPublished).toBe(1);
    await goTo(page, 'Account');
    await button('Check').click();
    const isCovered = page.getByText('Everything that we owe you on this account is in its Safe.');
    await isCovered.waitFor();
    await checkScreen(page, 'reserves');

    const { id, deployment } = await accountOf();
    await (await requestExit(evm, { owner: announced.wallet.address, ...deployment }, { token: eure.address, amount: 200n }))();
    await expectSoon(() => replaceAccount(app.platform, id)).toBe(true);
    await page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Set up your account' }).waitFor();
    await button('Sign and set up').click();
    await page.getByRole('heading', { level: 1, name: 'Set up your account' }).waitFor({ state: 'detached' });
    await goTo(page, 'Account');
    await page.getByRole('heading', { name: 'Money in your former account' }).waitFor();
    await page.getByText(/^8(?:\.00)?\sEURe$/).waitFor();
    await button(`Check ${former.slice(0, 6)}…${former.slice(-4)}`).click();
    await isCovered.waitFor();
    await checkScreen(page, 'moves');
    await button('Sign and move').click();
    await page.getByText('The money is on its way to your new account.').waitFor();
    await expectSoon(() => eure.balanceOf(former)).toBe(0n);
    expect(await addressShown(page)).not.toBe(former);
    await goTo(page, 'Home');
    await page.getByText('€8.00').first().waitFor();
  });

  it('names a backup key, which gives the account of a lost wallet to a new one', { timeout: RUN_MS }, async (test) => {
    const [lost, next] = [createAnnouncedWallet(newWallet(), 'first', ask), createAnnouncedWallet(newWallet(), 'first', ask)];
    const secondWallet = createAnnouncedWallet(newWallet(), 'second');
    const { page } = await app.visit(test, { wallet: lost, secondWallet });
    const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true });
    const shown = (on: Page, text: string | RegExp) => on.getByText(text).first().waitFor({ timeout: 180_000 });
    await signInWith(page, 'Announced Wallet');
    await registerAs(page, newEmail(), 'Set up your account');
    await button(page, 'Sign and set up').click();
    await button(page, 'Use Second Wallet').click();
    await expectSoon(() => page.getByLabel('Address of the backup key').inputValue()).toBe(secondWallet.wallet.address);
    await button(page, 'Continue').click();
    await page.getByRole('dialog').getByText('after 73 hours').waitFor();
    await checkScreen(page, 'backup-key-check');
    await page.getByRole('dialog').getByRole('button', { name: 'Second Wallet', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Order your card' }).waitFor();
    await goTo(page, 'Security');
    await shown(page, 'Save the file for leaving anew');
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save your account’s file').click()]);
    const { plan } = JSON.parse(await readFile(await download.path(), 'utf8')) as { plan: object };
    expect(plan).toMatchObject({ delay: { cooldownSeconds: 73 * 3600 } });

    const { accessToken: token } = await signIn(app.platform.api, lost.wallet);
    await replaceWallet(app.platform, { token, wallet: lost.wallet }, next.wallet);
    const { page: after } = await app.visit(test, { wallet: next, secondWallet });
    await signInWith(after, 'Announced Wallet');
    await after.getByRole('heading', { level: 1, name: 'Your account is blocked' }).waitFor();
    await checkScreen(after, 'blocked');
    await after.getByRole('link', { name: 'Recover the account' }).click();
    await shown(after, 'The exchange waits for 48 hours.');
    await checkScreen(after, 'recovery-request');
    await button(after, 'Announced Wallet').click();
    await shown(after, 'Your wallet uses another account.');
    await button(after, 'Second Wallet').click();
    await shown(after, /becomes the owner of your account after/);
    await button(after, 'Stop the exchange').click();
    await after.getByRole('dialog').getByText('which still owns the account').waitFor();
    await checkScreen(after, 'recovery-stop');
    await closeSheet(after);
    await evm.rpc('evm_increaseTime', [48 * 3600 + 1]);
    await evm.mine();
    await shown(after, /owns your account\. Save the file for leaving anew/);
    await checkScreen(after, 'recovery-completed');
  });
});
