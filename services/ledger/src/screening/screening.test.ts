import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { waitFor } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScreenedDeposit } from '../ports/kyt-screener.ts';
import { codeOf, ledgerEnvironment, randomTxHash, startLedger, type TestLedger } from '../testing/world.ts';

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

const start = async (environment: Record<string, string | undefined>): Promise<TestLedger> => {
  const ledger = await startLedger(environment);
  releases.push(ledger.close);
  return ledger;
};

type ProviderResponse = { status: number; body: string };
const verdict = (result: string): ProviderResponse => ({
  status: 200,
  body: JSON.stringify({ result, riskScore: 42, riskTier: 'medium' }),
});

/** Starts a provider over HTTP that counts the requests for each deposit and returns what `answer` returns for the nth, from 1. */
const startProvider = async (answer: (deposit: ScreenedDeposit, time: number) => ProviderResponse | Promise<ProviderResponse>) => {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', async () => {
      const deposit = JSON.parse(text) as ScreenedDeposit;
      const time = (requests.get(deposit.depositId) ?? 0) + 1;
      requests.set(deposit.depositId, time);
      const { status, body } = await answer(deposit, time);
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  releases.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const environment = {
    ...ledgerEnvironment(),
    KYT: 'http',
    KYT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    KYT_TOKEN: 'token',
    KYT_TIMEOUT_MS: '500',
    KYT_SWEEP_MS: '30',
    KYT_RETRY_MS: '30',
  };
  return { requests, environment };
};

const depositsOf = async (ledger: TestLedger, account: { user: { headers: Record<string, string> } }) =>
  (await ledger.movements.listDeposits({ page: { limit: 100, cursor: '' } }, account.user)).deposits;

const decided = (ledger: TestLedger, account: Parameters<typeof depositsOf>[1], count: number) =>
  waitFor(`${count} verdicts`, async () => {
    const deposits = await depositsOf(ledger, account);
    return deposits.length === count && deposits.every(({ status }) => status !== DepositStatus.PENDING) ? deposits : undefined;
  });

describe('the sandbox screener', () => {
  it('decides deposits without a call of ResolveDeposit', async () => {
    const ledger = await start({ ...ledgerEnvironment(), KYT: 'sandbox', KYT_SWEEP_MS: '60000' });
    const account = await ledger.open();
    const [good, bad] = [randomTxHash(), `${randomTxHash().slice(0, -8)}00000bad`];
    await ledger.see(account, 'EURe', '70', { txHash: good });
    await ledger.see(account, 'EURe', '7', { txHash: bad });
    const deposits = await decided(ledger, account, 2);
    expect(deposits.map(({ txHash, status, kytBreakdown }) => [txHash, status, kytBreakdown?.riskTier])).toEqual([
      [bad, DepositStatus.REJECTED, 'high'],
      [good, DepositStatus.APPROVED, 'low'],
    ]);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '70', processingDeposits: '0' });
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it('leaves a held deposit to ResolveDeposit', async () => {
    const ledger = await start({ ...ledgerEnvironment(), KYT: 'sandbox', KYT_SWEEP_MS: '20', KYT_RETRY_MS: '20' });
    const account = await ledger.open();
    const held = await ledger.see(account, 'EURe', '7', { txHash: `${randomTxHash().slice(0, -8)}0000401d` });
    await ledger.see(account, 'EURe', '1');
    await waitFor('the other one', async () =>
      (await depositsOf(ledger, account))[0]?.status === DepositStatus.APPROVED ? true : undefined,
    );
    expect((await depositsOf(ledger, account))[1]).toMatchObject({ id: held.id, status: DepositStatus.PENDING });
    expect((await ledger.resolve(held.id, DepositStatus.REJECTED)).deposit?.status).toBe(DepositStatus.REJECTED);
  });
});

const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('the screening of a recipient', () => {
  const withdrawTo = async (ledger: TestLedger, toAddress: string) => {
    const account = await ledger.open();
    const withdrawalId = randomUUID();
    const order = { withdrawalId, accountId: account.accountId, token: 'EURe', amount: '40', toAddress, forced: true };
    await ledger.movements.createWithdrawal(order, ledger.operator);
    return { account, withdrawalId };
  };

  it('returns the verdict on the address, and the deposits that were rejected', async () => {
    const ledger = await start({ ...ledgerEnvironment(), KYT: 'sandbox', KYT_SWEEP_MS: '30', DEPOSIT_MINIMUMS: '{"EURe":"2"}' });
    const bad = `0x${'1'.repeat(32)}00000bad`;
    for (const [toAddress, result] of [
      [RECIPIENT, 'approve'],
      [bad, 'reject'],
      [`0x${'1'.repeat(32)}0000401d`, 'hold'],
    ] as const) {
      const { withdrawalId } = await withdrawTo(ledger, toAddress);
      const found = await ledger.movements.screenWithdrawal({ withdrawalId }, ledger.operator);
      expect(found).toMatchObject({ recipient: { result }, rejectedDeposits: [] });
    }
    const { account, withdrawalId } = await withdrawTo(ledger, RECIPIENT);
    const txHash = `${randomTxHash().slice(0, -8)}00000bad`;
    await ledger.see(account, 'EURe', '7', { txHash, fromAddress: RECIPIENT.toLowerCase() });
    await waitFor('the rejection', async () => {
      const { rejectedDeposits } = await ledger.movements.screenWithdrawal({ withdrawalId }, ledger.operator);
      return rejectedDeposits.some((one) => one.txHash === txHash && one.amount === '7' && one.fromAddress === RECIPIENT) || undefined;
    });
    // Small amounts that are rejected afterwards hide nothing, and dust that nobody has screened says nothing about the account.
    await Promise.all(
      Array.from({ length: 101 }, () => ledger.see(account, 'EURe', '3', { txHash: `${randomTxHash().slice(0, -8)}00000bad` })),
    );
    await ledger.see(account, 'EURe', '1');
    const rejected = async (leastAmounts: Record<string, string>) =>
      (await ledger.movements.screenWithdrawal({ withdrawalId, leastAmounts }, ledger.operator)).rejectedDeposits;
    await waitFor('the rejections', async () => (await ledger.tokenBalances(account))['EURe']?.processingDeposits === '0' || undefined);
    expect(await rejected({})).toHaveLength(102);
    expect(await rejected({ EURe: '4' })).toMatchObject([{ txHash }]);
    const unknown = { withdrawalId: randomUUID() };
    expect(await codeOf(ledger.movements.screenWithdrawal(unknown, ledger.operator))).toBe('WITHDRAWAL_NOT_FOUND');
  });

  it('returns no verdict without a screener, and fails while the provider does', async () => {
    const silent = await start({ ...ledgerEnvironment(), KYT: 'off' });
    const { withdrawalId } = await withdrawTo(silent, RECIPIENT);
    expect((await silent.movements.screenWithdrawal({ withdrawalId }, silent.operator)).recipient).toBeUndefined();
    const { environment } = await startProvider(() => ({ status: 500, body: '' }));
    const failing = await start({ ...environment, KYT_SWEEP_MS: '60000' });
    const order = { withdrawalId: (await withdrawTo(failing, RECIPIENT)).withdrawalId };
    expect(await codeOf(failing.movements.screenWithdrawal(order, failing.operator))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('a deposit below the minimum', () => {
  it('is booked as rejected, and nobody is asked about it', async () => {
    const { requests, environment } = await startProvider(() => verdict('approve'));
    const ledger = await start({ ...environment, DEPOSIT_MINIMUMS: '{"EURe":"10"}' });
    const account = await ledger.open();
    const { currencies } = await ledger.balances.getBalances({}, account.user);
    const minimums = currencies.flatMap(({ tokens }) => tokens.map(({ token, depositMinimum }) => [token, depositMinimum]));
    expect(Object.fromEntries(minimums)).toMatchObject({ EURe: '10', 'USDC.e': '0' });
    await ledger.see(account, 'EURe', '9', { txHash: randomTxHash() });
    await ledger.see(account, 'EURe', '10', { txHash: randomTxHash() });
    const deposits = await decided(ledger, account, 2);
    expect(deposits.map(({ amount, status, kytBreakdown }) => [amount, status, kytBreakdown?.result]).sort()).toEqual([
      ['10', DepositStatus.APPROVED, 'approve'],
      ['9', DepositStatus.REJECTED, 'below_minimum'],
    ]);
    expect(requests.size).toBe(1);
  });

  it('is screened when it comes from the Safe of an account that was replaced', async () => {
    const { environment } = await startProvider(() => verdict('approve'));
    const ledger = await start({ ...environment, DEPOSIT_MINIMUMS: '{"EURe":"10"}' });
    const opened = await ledger.open();
    const replaced = async (accountId: string) => {
      await ledger.accounts.revokeSafe({ accountId, historyDiffers: true }, ledger.operator);
      return ledger.accounts.replaceAccount({ accountId }, ledger.operator);
    };
    const first = await replaced(opened.accountId);
    const second = await replaced(first.successor?.id ?? '');
    const accountId = second.successor?.id as typeof opened.accountId;
    const safes = [first, second].map(({ account }) => account?.safeAddress.toLowerCase() ?? '');
    for (const fromAddress of [...safes, RECIPIENT.toLowerCase()]) await ledger.see({ accountId }, 'EURe', '9', { fromAddress });
    const deposits = await decided(ledger, opened, 3);
    expect(deposits.map(({ fromAddress, status }) => [fromAddress.toLowerCase(), status]).sort()).toEqual(
      [...safes.map((safe) => [safe, DepositStatus.APPROVED]), [RECIPIENT.toLowerCase(), DepositStatus.REJECTED]].sort(),
    );
  });
});

describe('the screening by a provider', () => {
  it('sends the facts of the transfer', async () => {
    const subjects: ScreenedDeposit[] = [];
    const { environment } = await startProvider((deposit) => {
      subjects.push(deposit);
      return verdict('approve');
    });
    const ledger = await start(environment);
    const account = await ledger.open();
    const { id, txHash } = await ledger.see(account, 'USDC.e', '1000001', { logIndex: 9 });
    expect((await decided(ledger, account, 1))[0]?.kytBreakdown).toMatchObject({ result: 'approve', riskScore: 42, riskTier: 'medium' });
    const { account: record } = await ledger.accounts.getAccount({ key: { case: 'accountId', value: account.accountId } }, ledger.operator);
    expect(subjects).toEqual([
      {
        depositId: id,
        accountId: account.accountId,
        chainId: 100,
        safeAddress: record?.safeAddress,
        txHash,
        logIndex: 9,
        senderAddress: '',
        token: 'USDC.e',
        amount: '1000001',
        decimals: 6,
        currency: 'USD',
      },
    ]);
  });

  it('credits nothing while the provider fails, times out or returns invalid verdicts, and retries until it succeeds', async () => {
    const failures: (ProviderResponse | 'slow')[] = [
      { status: 500, body: '' },
      { status: 200, body: '{"result":"approve"}' },
      { status: 302, body: '' },
      { status: 200, body: 'x'.repeat(100_000) },
      'slow',
    ];
    let open = false;
    const { requests, environment } = await startProvider(async (_deposit, time) => {
      if (open) return verdict('approve');
      const failure = failures[(time - 1) % failures.length];
      if (failure !== 'slow' && failure !== undefined) return failure;
      await new Promise((resolve) => setTimeout(resolve, 700));
      return verdict('approve');
    });
    const ledger = await start(environment);
    const account = await ledger.open();
    const { id } = await ledger.see(account, 'EURe', '9');
    await waitFor('every failure', async () => ((requests.get(id) ?? 0) > failures.length ? true : undefined));
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '0', processingDeposits: '9' });
    open = true;
    expect((await decided(ledger, account, 1))[0]?.status).toBe(DepositStatus.APPROVED);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '9', processingDeposits: '0' });
  });

  it('books the verdict that follows a hold', async () => {
    const { environment } = await startProvider((_deposit, time) => verdict(time < 3 ? 'hold' : 'reject'));
    const ledger = await start(environment);
    const account = await ledger.open();
    await ledger.see(account, 'EURe', '9');
    expect((await decided(ledger, account, 1))[0]?.status).toBe(DepositStatus.REJECTED);
  });

  it('continues with pending deposits after a restart', async () => {
    let open = false;
    const { environment } = await startProvider(() => (open ? verdict('approve') : { status: 503, body: '' }));
    const first = await startLedger(environment);
    const account = await first.open();
    await first.see(account, 'EURe', '9');
    await first.close();
    open = true;
    const second = await start(environment);
    expect((await decided(second, account, 1))[0]?.status).toBe(DepositStatus.APPROVED);
  });
});

describe('a reported deposit', () => {
  it('is credited at most once when reports and verdicts repeat, race and are reordered on two instances', async () => {
    const results = ['approve', 'reject', 'hold'];
    const { environment } = await startProvider(async (_deposit, time) => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(20)));
      const failed = time <= 4 && randomInt(4) === 0;
      return failed ? { status: 500, body: '' } : verdict(results[time > 3 ? randomInt(2) : randomInt(3)] ?? 'approve');
    });
    const ledgers = [await start(environment), await start(environment)];
    const anyLedger = () => ledgers[randomInt(2)] ?? expect.fail('no ledger');
    const [first] = ledgers;
    if (first === undefined) throw new Error('no ledger');
    const account = await first.open();
    // The other instance learns of a new account with a delay.
    await waitFor('both to know the account', async () =>
      (await Promise.all(ledgers.map((ledger) => codeOf(ledger.tokenBalances(account))))).every((code) => code === 'no error')
        ? true
        : undefined,
    );
    const COUNT = 30;
    const amounts = new Map<string, bigint>();

    await Promise.all(
      Array.from({ length: COUNT }, async (_, index) => {
        const amount = (1n << BigInt(index)).toString();
        const txHash = randomTxHash();
        let id: string | undefined;
        const report = async () => {
          const deposit = await anyLedger().see(account, 'EURe', amount, { txHash });
          id = deposit.id;
          amounts.set(deposit.id, BigInt(amount));
        };
        const resolve = async (status: DepositStatus) => {
          const code = await codeOf(anyLedger().resolve(id ?? randomUUID(), status));
          expect(['no error', 'DEPOSIT_STATE_CONFLICT', 'DEPOSIT_NOT_FOUND']).toContain(code);
        };
        const steps: (() => Promise<void>)[] = [report, report, report];
        if (index % 2 === 0) {
          steps.push(
            () => resolve(DepositStatus.APPROVED),
            () => resolve(DepositStatus.REJECTED),
            () => resolve(DepositStatus.APPROVED),
          );
        }
        const shuffled = steps.map((step) => ({ step, key: randomInt(1_000_000) })).sort((a, b) => a.key - b.key);
        // Every third deposit in sequence, the others concurrently.
        if (index % 3 === 0) for (const { step } of shuffled) await step();
        else await Promise.all(shuffled.map(({ step }) => step()));
      }),
    );

    const deposits = await decided(first, account, COUNT);
    expect(new Set(deposits.map(({ id }) => id))).toEqual(new Set(amounts.keys()));
    const approved = deposits.filter(({ status }) => status === DepositStatus.APPROVED);
    const credited = approved.reduce((sum, { id }) => sum + (amounts.get(id) ?? 0n), 0n);
    await waitFor('both instances to show it', async () => {
      const rows = await Promise.all(ledgers.map(async (ledger) => (await ledger.tokenBalances(account))['EURe']));
      return rows.every((row) => row?.spendable === credited.toString() && row.processingDeposits === '0') ? true : undefined;
    });
    // Opened, activated, and two entries for each deposit.
    expect(await first.verify()).toMatchObject({ ok: true, problem: '', entries: BigInt(2 + 2 * COUNT) });
  });
});
