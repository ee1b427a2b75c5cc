import { randomUUID } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import type { LedgerClients } from '../../support/ledger-cluster.ts';
import type { LedgerStage } from './stage.ts';

export type BenchAccount = { accountId: string; userId: string };

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const CALLERS = 64;
const MAX_ENTRIES = 1000;
const MAX_TRIES = 20;
const PAUSE_MS = 50;
const REPORT_EVERY = 10_000;

/** Runs work for each item, so many at a time. */
const inParallel = async <T>(items: readonly T[], callers: number, work: (item: T) => Promise<unknown>): Promise<void> => {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

const isTransient = (error: unknown): boolean =>
  error instanceof CodedError
    ? error.code === 'SERVICE_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT'
    : [Code.Unavailable, Code.DeadlineExceeded].includes(ConnectError.from(error).code);

/** Repeats what is unavailable for a moment: with thousands of accounts a second, or on a machine that does other work, the records may lag behind. */
const patiently = async (call: () => Promise<unknown>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (!isTransient(error) || tries === MAX_TRIES) throw error;
      await pause(tries * PAUSE_MS);
    }
  }
};

/** Opens accounts through the service's own RPCs, each with the address of its Safe. Without activation they can be paid, not pay. */
export const openAccounts = async (
  { clients }: { clients: Pick<LedgerClients, 'accounts'> },
  count: number,
  report: (line: string) => void,
  activate = true,
): Promise<(BenchAccount & { safe: string })[]> => {
  report(`opening ${count} accounts`);
  const accounts = Array.from({ length: count }, () => ({ accountId: randomUUID(), userId: randomUUID(), safe: '' }));
  let done = 0;
  await inParallel(accounts, CALLERS, async (opened) => {
    done += 1;
    if (done % REPORT_EVERY === 0) report(`account ${done} of ${count}`);
    const { accountId, userId } = opened;
    await patiently(async () => {
      const order = { accountId, userId, kycProfileId: userId, safeOwnerAddress: OWNER };
      opened.safe = (await clients.accounts.openAccount(order)).account?.safeAddress ?? '';
    });
    if (activate) await patiently(() => clients.accounts.activateAccount({ accountId }));
  });
  return accounts;
};

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Gives each account the same amount, as a refund of the card network would. */
export const fundAccounts = async ({ clients }: LedgerStage, accounts: readonly BenchAccount[], amount: string): Promise<void> => {
  await inParallel(chunksOf(accounts, MAX_ENTRIES), 4, async (chunk) => {
    const entries = chunk.map(({ accountId }) => ({
      entryId: randomUUID(),
      transfers: [{ debit: 'settlement', credit: accountId, token: 'EURe', amount }],
    }));
    const { results } = await clients.entries.createEntries({ entries });
    if (results.some(({ code }) => code !== EntryResultCode.CREATED)) throw new Error('an account was not funded');
  });
};
