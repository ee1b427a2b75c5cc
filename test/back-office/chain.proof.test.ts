import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionStatus } from '@florin/proto/chain/v1/watch';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import type { Address } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { evmTokens } from '../support/evm-tokens.ts';
import { expectSoon, newEmail, press, START_MS } from '../support/in-browser.ts';
import { newHeadKey } from '../support/new-head-key.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { newWallet, registerPerson, untilDone } from '../support/story.ts';
import { type OfficeInBrowser, startOfficeInBrowser } from './office-in-browser.ts';
import { button, confirm, enrolAs, find, goTo, openFile, openPart, REASON } from './steps.ts';

const STORY_MS = 300_000;
const CHAIN_ID = 100;
const UNIT = 10n ** 18n;

describeOnEvm('transfers on a chain that need a person', () => {
  let evm: Evm;
  let tokens: Awaited<ReturnType<typeof evmTokens>>;
  let eure: Address;
  let office: OfficeInBrowser;
  let chain: RpcChannel;

  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    tokens = await evmTokens(evm);
    eure = await tokens.deploy('EURe');
    const environment = onChainEure({ address: eure });
    office = await startOfficeInBrowser(
      { ...environment, LEDGER_HEAD_KEY: newHeadKey() },
      {
        chain: {
          CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
          CHAIN_POLL_MS: '200',
          RESERVES_INTERVAL_SECONDS: '30',
          CHAIN_RELAYER_KEY: generatePrivateKey(),
          CHAIN_COSIGNER_KEY: generatePrivateKey(),
        },
        office: async () => ({ ASSETS: environment['ASSETS'] }),
      },
    );
    const { platform } = office;
    chain = openOperatorChannel(platform, { audience: 'chain', baseUrl: platform.chainUrl, scopes: [CHAIN_SCOPES.readExceptions] });
  }, START_MS);
  afterAll(async () => {
    await chain?.close();
    await office?.close();
    await evm?.close();
  });

  const exceptions = async () => (await untilDone(() => chain.client(WatchService).listExceptions({ page: { limit: 10 } }))).exceptions;

  const register = async () => {
    const { api } = office.platform;
    const wallet = newWallet();
    const { token } = await registerPerson(api, wallet);
    const account = await api.call<{ id: string; safeAddress: Address }>('GET', '/user/account', { token });
    return { wallet, token, ...account };
  };

  /** Somebody closes the account, and gets money afterwards: the ledger refuses it. */
  const payClosedAccount = async (): Promise<void> => {
    const closed = await untilDone(async () => {
      const person = await register();
      await office.platform.api.call('DELETE', '/user', { token: person.token });
      return person;
    });
    await tokens.pay(eure, closed.safeAddress, 3n * UNIT);
  };

  /** Somebody takes money out of the Safe without the platform. */
  const takeOutAlone = async (): Promise<void> => {
    const { wallet, id, safeAddress } = await untilDone(register);
    await tokens.pay(eure, safeAddress, 10n * UNIT);
    await evm.deploySafe([wallet.address], 1, BigInt(`0x${id.replaceAll('-', '')}`));
    await tokens.payFromSafe(safeAddress, wallet, eure, wallet.address, 4n * UNIT);
  };

  it('are tried again where the ledger refused them, and closed with a note', { timeout: STORY_MS }, async (test) => {
    await payClosedAccount();
    await takeOutAlone();
    await expectSoon(async () => (await exceptions()).length).toBe(2);
    const { page } = await office.sit(test, await office.invite(newEmail('fred'), 'finance'));
    await enrolAs(page, 'Fred Finance');
    await goTo(page, 'Chain');
    await page.getByRole('table', { name: 'Chains that are watched' }).getByText('Watching').waitFor();
    const refused = page.getByRole('row').filter({ hasText: 'Refused by the ledger ACCOUNT_CLOSED' });
    const left = page.getByRole('row').filter({ hasText: 'Left without an order' });
    await refused.getByText('€3.00').waitFor();
    await left.getByText('€4.00').waitFor();
    await checkScreen(page, 'exceptions', 'back-office');
    // A booked transfer is not booked again.
    expect(await left.getByRole('button').allTextContents()).toEqual(['Close']);

    const txHash = (await exceptions()).find(({ code }) => code === 'ACCOUNT_CLOSED')?.txHash ?? '';
    await find(page, txHash, page.getByRole('table', { name: 'Transfers that need a person' }).getByText('€3.00'));
    await checkScreen(page, 'find-exception', 'back-office');
    await press(page, page.getByRole('link', { name: 'All transfers that need a person' }), left);

    // An operator who may not read such transfers is not told that there is one.
    const supporter = await office.sit(test, await office.invite(newEmail('sam'), 'support'));
    await enrolAs(supporter.page, 'Sam Support');
    await find(supporter.page, txHash, supporter.page.getByText('Nobody was found'));

    await button(refused, 'Try again').click();
    await confirm(page, 'Book this transfer again', 'The ledger refused it again.');
    await refused.getByText('Open', { exact: true }).waitFor();

    await button(refused, 'Close').click();
    await checkScreen(page, 'close-exception', 'back-office');
    await confirm(page, 'Close this exception', 'The exception is closed.');
    await refused.waitFor({ state: 'detached' });
    await button(left, 'Close').click();
    await page.getByLabel('It was booked by hand').check();
    await confirm(page, 'Close this exception', 'The exception is closed.');
    await page.getByText('No transfer needs a person').waitFor();

    await goTo(page, 'Reserves');
    const isThere = async () => {
      await page.reload();
      await page.getByText('Chain 100').or(page.getByText('There is no proof of reserves yet.')).waitFor();
      return page.getByText('Chain 100').count();
    };
    await expectSoon(isThere).toBe(1);
    await page.getByRole('table', { name: 'Sums of the tokens' }).getByRole('row').filter({ hasText: 'EURe' }).waitFor();
    await page.getByText('Everything that is owed is there').first().waitFor();
    await checkScreen(page, 'reserves', 'back-office');
    const saved = page.waitForEvent('download');
    await button(page, 'Download the file').click();
    expect((await saved).suggestedFilename()).toMatch(/^florin-reserves-100-\d+\.jsonl$/);

    const closed = await exceptions();
    expect(closed.map(({ status, note, closedBy }) => [status, note, closedBy.startsWith('operator:')])).toEqual(
      Array.from({ length: 2 }, () => [ExceptionStatus.CLOSED, REASON, true]),
    );
    expect(new Set(closed.map(({ booked }) => booked))).toEqual(new Set([false, true]));
  });

  /** Somebody has named a backup key and had the owner exchanged; the next exchange, on another chain so that nothing carries it out, is overdue. */
  const recover = async (email: string): Promise<void> => {
    const { api, databases } = office.platform;
    const { token, userId, wallet } = await registerPerson(api, newWallet(), { email });
    const { id: accountId, safeAddress } = await api.call<{ id: string; safeAddress: Address }>('GET', '/user/account', { token });
    const store = await openStore({
      uri: databases.mongodbUri,
      database: databases.names[0]?.replace(/_[a-z]+$/, '_chain') ?? '',
      poolSize: 1,
      logger: quietLogger,
    });
    const transaction = { safe: safeAddress, to: safeAddress, data: '0x', operation: 0, safeTxGas: '0', nonce: '0' };
    const delay = { mastercopy: safeAddress, cooldownSeconds: 172_800, expirationSeconds: 604_800 };
    const [day, next] = [86_400_000, newWallet().address];
    const ago = (days: number) => new Date(Date.now() - days * day);
    const row = { accountId, userId, wallet: wallet.address, chainId: 1, transaction, signer: wallet.address, outbox: [] };
    const control = { owner: next, delay, backup: { address: newWallet().address, delay } };
    const exchange = { ...row, control, kind: 'request', expiresAt: ago(0) };
    await store.connection.collection<{ _id: string } & Record<string, unknown>>('recovery_transactions').insertMany([
      { ...row, _id: randomUUID(), control, kind: 'naming', status: 'completed', createdAt: ago(9), endedAt: ago(8), expiresAt: ago(9) },
      { ...exchange, _id: randomUUID(), status: 'cancelled', createdAt: ago(7), endedAt: ago(6) },
      { ...exchange, _id: randomUUID(), status: 'signed', createdAt: ago(3), executableAt: ago(1) },
      { ...exchange, _id: randomUUID(), status: 'signed', createdAt: ago(1), executableAt: ago(-1) },
    ]);
    await store.close();
  };

  it('have the file of a person beside them, with the backup key and each recovery', { timeout: STORY_MS }, async (test) => {
    const email = newEmail();
    await recover(email);
    const { page } = await office.sit(test, await office.invite(newEmail('sam'), 'support'));
    await enrolAs(page, 'Sam Support');
    await openFile(page, email);
    const table = page.getByRole('table', { name: 'Backup key and recovery' });
    await table.getByText('Stuck', { exact: true }).waitFor();
    await table.getByText('Waiting', { exact: true }).waitFor();
    await table.getByText('Expired', { exact: true }).waitFor();
    await checkScreen(page, 'recovery', 'back-office');
  });

  it('have an owner whose Safe has another history get another account, when a second operator approves', {
    timeout: STORY_MS,
  }, async (test) => {
    const email = newEmail();
    const { token } = await registerPerson(office.platform.api, newWallet(), { email });
    const accountOf = () => office.platform.api.call<{ id: string; status: string }>('GET', '/user/account', { token });
    const { id } = await accountOf();
    // Here an account needs no Safe to become active; one in provisioning would do so afterwards.
    await expectSoon(async () => (await accountOf()).status).toBe('active');
    const baseUrl = office.platform.services.ledger.url;
    const ledger = openOperatorChannel(office.platform, { audience: 'ledger', baseUrl, scopes: [LEDGER_SCOPES.confirmSafes] });
    await untilDone(() => ledger.client(AccountService).revokeSafe({ accountId: id, historyDiffers: true }));
    await ledger.close();
    const sit = async (person: string, name: string) => {
      const { page } = await office.sit(test, await office.invite(newEmail(person), 'finance'));
      await enrolAs(page, name);
      await openFile(page, email);
      await openPart(page, 'Account');
      return page;
    };
    const first = await sit('fred', 'Fred Finance');
    await button(first, 'Order another account').click();
    await checkScreen(first, 'order-replacement', 'back-office');
    await confirm(first, 'Order another account', 'The order waits for another operator.');
    expect(await button(first, 'Approve').count()).toBe(0);

    const second = await sit('frida', 'Frida Finance');
    await button(second, 'Approve').click();
    await confirm(second, 'Approve', 'The person has another account.');
    await second.getByRole('table', { name: 'Former accounts' }).getByText(id).waitFor();
    await checkScreen(second, 'replacement', 'back-office');
    expect((await accountOf()).id).not.toBe(id);
  });

  /** A deposit that is booked, and then gone: the chain has another branch. @returns the first block that was replaced */
  const replaceBranch = async (): Promise<number> => {
    const { token, safeAddress } = await untilDone(register);
    const snapshot = await evm.rpc<string>('evm_snapshot');
    const from = (await evm.blockNumber()) + 1;
    const txHash = await tokens.pay(eure, safeAddress, 4n * UNIT);
    const isBooked = async () => {
      const { data } = await office.platform.api.as(token).userMovements.listDeposits();
      return data.some((one) => one.txHash === txHash && one.status === 'approved');
    };
    await expectSoon(() => untilDone(isBooked)).toBe(true);
    await evm.rpc('evm_revert', [snapshot]);
    await evm.rpc('evm_increaseTime', [100]);
    await evm.mine();
    await evm.mine();
    return from;
  };

  it('are taken back where a chain was halted, when a second operator approves', { timeout: STORY_MS }, async (test) => {
    const from = await replaceBranch();
    const first = await office.sit(test, await office.invite(newEmail('fred'), 'finance'));
    await enrolAs(first.page, 'Fred Finance');
    await goTo(first.page, 'Chain');
    const watch = first.page.getByRole('table', { name: 'Chains that are watched' });
    const isHalted = async () => {
      await first.page.reload();
      await watch.waitFor();
      return watch.getByText('Halted', { exact: true }).count();
    };
    await expectSoon(isHalted).toBe(1);
    await button(watch, 'Let it go on').click();
    await first.page.getByLabel('From block').fill(String(from));
    await checkScreen(first.page, 'order-halt', 'back-office');
    await first.page.getByLabel('From block').fill(String(from + 1_000_000));
    await first.page.getByLabel('Reason').fill(REASON);
    const late = first.page.getByText(/^The chain cannot go on from this block\. Choose block \d+ or an earlier one\.$/);
    await press(first.page, button(first.page.getByRole('dialog'), 'Let it go on'), late);
    await first.page.getByText('HALT_NOT_RESOLVABLE').waitFor();
    await first.page.getByLabel('From block').fill(String(from));
    await confirm(first.page, 'Let it go on', 'The order waits for another operator.');
    const own = first.page.getByRole('row').filter({ hasText: REASON });
    await own.getByText('You ordered it: another operator approves it.').waitFor();
    expect(await button(own, 'Approve').count()).toBe(0);
    await own.getByText('€4.00').waitFor();

    const second = await office.sit(test, await office.invite(newEmail('frida'), 'finance'));
    await enrolAs(second.page, 'Frida Finance');
    await goTo(second.page, 'Chain');
    const theirs = second.page.getByRole('row').filter({ hasText: REASON });
    await theirs.getByText('0 kept, 1 taken back').waitFor();
    await checkScreen(second.page, 'halts', 'back-office');
    await button(theirs, 'Approve').click();
    await checkScreen(second.page, 'approve-halt', 'back-office');
    await confirm(second.page, 'Approve', 'The chain goes on.');
    await theirs.getByText('Resolved', { exact: true }).waitFor();
    await theirs.getByText('Frida Finance').waitFor();
    expect(await theirs.getByRole('button').count()).toBe(0);
  });
});
