import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { ROOT } from '../support/settings.ts';
import { createCard, registerPerson } from '../support/story.ts';

const TOKEN = 'EURe';
const CENT = 10n ** 16n;

let platform: PlatformInProcess;
let network: ReturnType<typeof connectCardNetwork>;
let ledger: ReturnType<typeof createRpcChannel>;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  ledger = createRpcChannel({
    baseUrl: platform.services.ledger.url,
    serviceToken: createServiceTokenSource({
      key: serviceKeySchema.parse(platform.operatorKey),
      audience: 'ledger',
      scopes: [LEDGER_SCOPES.readBalances],
    }),
  });
});
afterAll(async () => {
  await ledger?.close();
  await network?.close();
  await platform?.close();
});

/** @returns the rows of the table in docs/money.md: the step, and its amounts in cents */
const documented = async (): Promise<[step: string, ...cents: bigint[]][]> => {
  const page = await readFile(join(ROOT, 'docs/money.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  return rows.slice(1).map((row) => {
    const [step = '', ...amounts] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return [step, ...amounts.map((amount) => BigInt(amount === '0' ? 0 : amount.replace('.', '')))];
  });
};

it('moves money through the buckets as docs/money.md shows', async () => {
  const { token } = await registerPerson(platform.api);
  const api = platform.api.as(token);
  const cardId = await createCard(platform.api, token);
  const { id: accountId } = await api.userAccount.getAccount();
  const payment = network.payment(cardId);
  const balances = ledger.client(BalanceService);

  const system = async (): Promise<Map<string, bigint>> => {
    const all = (await balances.getSystemBalances({})).balances.filter((row) => row.token === TOKEN);
    return new Map(all.map(({ name, balance }) => [name, BigInt(balance)]));
  };
  const before = await system();
  const read = async (): Promise<bigint[]> => {
    const { currencies } = await balances.getAccountBalances({ accountId });
    const row = currencies.flatMap(({ tokens }) => tokens).find((one) => one.token === TOKEN);
    if (row === undefined) throw new Error(`the account has no row of ${TOKEN}`);
    const now = await system();
    const change = (account: string) => (now.get(account) ?? 0n) - (before.get(account) ?? 0n);
    const amounts = [row.spendable, row.nonSpendable, row.settling, `-${row.debt}`].map((amount) => BigInt(amount));
    return [...amounts, change('chain'), change('settlement')].map((amount) => amount / CENT);
  };

  const steps: (() => Promise<unknown>)[] = [
    async () => undefined,
    () => api.sandbox.createDeposit({ token: TOKEN, amount: `${10_000n * CENT}` }),
    () => payment.authorize(3000),
    () => payment.clear(2800),
    () => payment.refund(500),
  ];
  const rows = await documented();
  expect(rows).toHaveLength(steps.length);
  for (const [index, play] of steps.entries()) {
    await play();
    const [step, ...expected] = rows[index] ?? [''];
    await expect.poll(read, { message: step }).toEqual(expected);
    expect(
      expected.reduce((sum, amount) => sum + amount, 0n),
      step,
    ).toBe(0n);
  }
});
