import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { Health } from '@florin/proto/health/v1/health';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { loadConfig } from '@florin/rpc/config';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, quietLogger, startNeighbour } from '@florin/rpc/testing';
import { createApp } from '../app.ts';
import { configShape } from '../config.ts';
import { createFakeChain, createFakeNode, fakeAddress } from './fake-chain.ts';

const CHAIN_ID = 100;

/** Contract of the token `EURe`. */
export const TOKEN = fakeAddress('EURe');

/** The chain service on real engines, with a chain in memory and a stand-in for the ledger that refuses what the test says. */
export const createWorld = async () => {
  const authority = await createTestAuthority({
    chain: Object.values(LEDGER_SCOPES),
    operator: Object.values(CHAIN_SCOPES),
    stranger: [],
  });
  const accounts = new Map<Hex, string>();
  const refused = new Map<string, ErrorCode>();
  const booked = new Set<string>();
  const blocked = new Set<string>();
  const spending = { halted: false, until: undefined as Date | undefined };
  /** Actor and reason of each deposit that was taken back, by transaction and position. */
  const reversed = new Map<string, string>();
  /** Transfers by the ids of their deposits. */
  const deposits = new Map<string, string>();

  /** The condition that bookings wait for. */
  let gate = Promise.resolve();

  const book = async (accountId: string, key: string): Promise<void> => {
    await gate;
    const code = refused.get(accountId);
    if (code !== undefined) throw new CodedError(code);
    booked.add(key);
  };
  const ledger = await startNeighbour({
    authority,
    name: 'ledger',
    services: [
      implementPart(AccountService, {
        findAccountsBySafe: serviceMethod(({ safeAddresses }) => ({
          accounts: safeAddresses.flatMap((safeAddress) => {
            const id = accounts.get(safeAddress as Hex);
            return id === undefined ? [] : [{ id, safeAddress, status: AccountStatus.ACTIVE }];
          }),
        })),
        haltChain: serviceMethod(() => {
          spending.halted = true;
          return {};
        }),
        resumeChain: serviceMethod(() => {
          spending.halted = false;
          return {};
        }),
        renewChain: serviceMethod(({ until }) => {
          spending.until = until && timestampDate(until);
          return {};
        }),
        blockAccount: serviceMethod(({ accountId, left }) => {
          if (left) blocked.add(accountId);
          return {};
        }),
      }),
      implementPart(MovementService, {
        recordDeposit: serviceMethod(async ({ accountId, txHash, logIndex }) => {
          const id = `${txHash} ${logIndex}`;
          await book(accountId, `in ${id}`);
          const depositId = [...deposits].find(([, known]) => known === id)?.[0] ?? randomUUID();
          deposits.set(depositId, id);
          return { deposit: { id: depositId, status: reversed.has(id) ? DepositStatus.REVERSED : DepositStatus.APPROVED } };
        }),
        reverseDeposit: serviceMethod(({ depositId, metadata }) => {
          reversed.set(deposits.get(depositId) ?? depositId, `${metadata?.actor}: ${metadata?.reason}`);
          return {};
        }),
        createWithdrawal: serviceMethod(async ({ accountId, txHash, forced }) => {
          await book(accountId, `out ${txHash} ${forced ? 'forced' : ''}`);
          return {};
        }),
        updateWithdrawal: serviceMethod(() => ({})),
      }),
    ],
  });
  const chain = createFakeChain();
  const assets = {
    chains: [{ id: CHAIN_ID, name: 'Gnosis' }],
    currencies: [{ code: 'EUR', decimals: 2 }],
    tokens: [{ symbol: 'EURe', decimals: 18, currency: 'EUR', chainId: CHAIN_ID, address: TOKEN }],
    accounts: { chainId: CHAIN_ID, nativeCurrency: 'EUR', additionalCurrencies: [] },
  };
  const environment = testEnvironment('chain', authority, {
    LEDGER_URL: ledger.url,
    IDENTITY_URL: ledger.url,
    ASSETS: JSON.stringify(assets),
    CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] }),
    CHAIN_START_BLOCKS: JSON.stringify({ [CHAIN_ID]: 0 }),
    CHAIN_POLL_MS: '20',
    RECONCILE_ACCOUNTS_PER_SECOND: '0',
    RESERVES_INTERVAL_SECONDS: '0',
  });
  const bed = await openTestBed(environment);
  bed.defer(ledger.close);
  /** @param more settings beside those of the world */
  const start = async (more: Readonly<Record<string, string>> = {}) => {
    const app = await createApp(loadConfig(configShape, { ...environment, ...more }), {
      logger: quietLogger,
      createNode: () => createFakeNode(chain),
    });
    const { client, close } = bed.connect(app);
    return { watch: client(WatchService), health: client(Health), close };
  };
  const as = (name: string, scopes: readonly string[]) => authority.asService(name, 'chain', scopes);

  return {
    chain,
    accounts,
    /** Opens an account at the ledger, with a Safe of its own. */
    newAccount: () => {
      const accountId = randomUUID();
      const safe = fakeAddress(accountId);
      accounts.set(safe, accountId);
      return { accountId, safe };
    },
    refused,
    booked,
    blocked,
    /** The ledger's orders: to stop the spending, and when it is to stop it by itself. */
    spending,
    reversed,
    connection: bed.connection,
    /** Lets bookings wait. @returns lets them go on */
    holdBookings: () => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    start,
    as,
    operator: await as('operator', Object.values(CHAIN_SCOPES)),
    close: bed.close,
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The code that a call ends with, or OK. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: unknown) => (error instanceof CodedError ? error.code : String(error)),
  );
