import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { testEnvironment } from '@florin/data/testing';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { loadConfig } from '@florin/rpc/config';
import { toCodedError } from '@florin/rpc/errors';
import { createTestAuthority, waitFor } from '@florin/rpc/testing';
import { createApp, type LedgerOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { auditDatabase } from './audit-database.ts';
import { clocksOf } from './clocks.ts';

const SCOPES = [...Object.values(LEDGER_SCOPES), ...Object.values(PRIVACY_SCOPES)];

export const authority = await createTestAuthority({ ledger: [], operator: SCOPES, stranger: [], ada: SCOPES }, ['ada']);

export const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';

export const randomTxHash = (): string => `0x${(randomUUID() + randomUUID()).replaceAll('-', '')}`;

/** Repeats a call as its callers do: on a busy machine, an account's record may be written later than the ledger waits for it. */
const inTheEnd = <T>(what: string, call: () => Promise<T>): Promise<T> =>
  waitFor(what, () =>
    call().catch((error: unknown) => {
      if (toCodedError(error).code !== 'SERVICE_UNAVAILABLE') throw error;
      return undefined;
    }),
  );

type Options = LedgerOverrides & { environment?: Record<string, string> };

/** One ledger process on a database of its own, with everything that calls it through its real surface. */
export const startLedger = async (base: Record<string, string | undefined>, { environment = {}, ...overrides }: Options = {}) => {
  const config = loadConfig(configShape, { ...base, ...environment });
  const app = await createApp(config, { userKeys: authority.userKeys, ...overrides, ...clocksOf(overrides) });
  const channel = createRpcChannel({ baseUrl: app.url, timeoutMs: 30_000 });
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const token = await authority.serviceToken('operator', 'ledger', SCOPES);
  const operator = as(token);
  const accounts = channel.client(AccountService);
  const movements = channel.client(MovementService);
  const balances = channel.client(BalanceService);
  const entries = channel.client(EntryService);
  const holds = channel.client(HoldService);
  const adjustments = channel.client(AdjustmentService);
  const journal = channel.client(JournalService);
  const statements = channel.client(StatementService);
  const personalData = channel.client(PersonalDataService);

  const user = async (userId: string) => as(await authority.userToken({ wallet: OWNER, userId }));

  const open = async (active = true) => {
    const [accountId, userId, kycProfileId] = [randomUUID(), randomUUID(), randomUUID()];
    await inTheEnd('openAccount', () => accounts.openAccount({ accountId, userId, kycProfileId, safeOwnerAddress: OWNER }, operator));
    if (active) await inTheEnd('activateAccount', () => accounts.activateAccount({ accountId }, operator));
    return { accountId, userId, user: await user(userId) };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  const see = async (
    { accountId }: Pick<Opened, 'accountId'>,
    symbol: string,
    amount: string,
    event: { txHash?: string; logIndex?: number; fromAddress?: string } = {},
  ) => {
    const request = { accountId, chainId: 100, txHash: randomTxHash(), logIndex: 0, token: symbol, amount, ...event };
    const { deposit } = await movements.recordDeposit(request, operator);
    if (deposit === undefined) throw new Error('no deposit');
    return deposit;
  };
  const resolve = (depositId: string, status: DepositStatus = DepositStatus.APPROVED) =>
    movements.resolveDeposit({ depositId, status, kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' } }, operator);
  const fund = async (account: Pick<Opened, 'accountId'>, symbol: string, amount: string) =>
    resolve((await see(account, symbol, amount)).id);
  const withdraw = async (
    { accountId }: Pick<Opened, 'accountId'>,
    symbol: string,
    amount: string,
    withdrawalId: string = randomUUID(),
  ) => {
    const request = { withdrawalId, accountId, token: symbol, amount, txHash: `0x${'ab'.repeat(32)}` };
    const { withdrawal } = await movements.createWithdrawal(request, operator);
    if (withdrawal === undefined) throw new Error('no withdrawal');
    return withdrawal;
  };
  /** The token rows of the user's balances, by symbol, with their currency's row. */
  const tokenBalances = async (opened: Opened) => {
    const { currencies } = await balances.getBalances({}, opened.user);
    return Object.fromEntries(currencies.flatMap((currency) => currency.tokens.map((row) => [row.token, { ...row, row: currency }])));
  };
  const verify = () => auditDatabase({ ...base, ...environment });

  return {
    accounts,
    movements,
    balances,
    entries,
    holds,
    adjustments,
    journal,
    statements,
    personalData,
    operator,
    as,
    authority,
    user,
    open,
    see,
    resolve,
    fund,
    withdraw,
    tokenBalances,
    verify,
    url: app.url,
    close: async () => {
      await channel.close();
      await app.close();
    },
  };
};

export type TestLedger = Awaited<ReturnType<typeof startLedger>>;

/** A new key for signing heads, as the configuration has it. */
export const newHeadKey = (): string =>
  JSON.stringify({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'ledger-head', alg: 'EdDSA' });

/** Environment with a fresh database; start several ledgers on one to have them share it. */
export const ledgerEnvironment = (more: Record<string, string> = {}) =>
  testEnvironment('ledger', authority, {
    IDENTITY_URL: 'http://127.0.0.1:9',
    KYT: 'off',
    LEDGER_HEAD_KEY: newHeadKey(),
    ENTRY_IDS_PER_SHARD: 'true',
    ...more,
  });

/** Name of an entry's result, as the contract has it. */
export const resultName = (code: EntryResultCode | undefined): string | undefined =>
  Object.entries(EntryResultCode).find(([, value]) => value === code)?.[0];

/** Code that a call fails with. */
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );
