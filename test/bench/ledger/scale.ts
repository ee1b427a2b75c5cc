import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { median, type Row } from '../row.ts';
import { type BenchAccount, chunksOf, inParallel, openAccounts } from './accounts.ts';
import type { LedgerStage } from './stage.ts';
import { projectionsCaughtUp } from './transfers.ts';

const SMALL = 1000;
const LARGE = 100_000;
const TRANSFERS = 1_000_000;
const READS = 3000;
const SAMPLES = 500;

const residentMebibytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Median time of GetBalances, one caller, over accounts chosen at random. */
const medianRead = async ({ clients, authority }: LedgerStage, accounts: readonly BenchAccount[]): Promise<number> => {
  const chosen = Array.from({ length: SAMPLES }, () => accounts[Math.floor(Math.random() * accounts.length)]);
  const headers: { authorization: string }[] = [];
  for (const account of chosen) {
    const token = await authority.userToken({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId: account?.userId ?? '' });
    headers.push({ authorization: `Bearer ${token}` });
  }
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const started = performance.now();
    await clients.balances.getBalances({}, { headers: headers[read % headers.length] ?? {} });
    times.push(performance.now() - started);
  }
  return median(times.slice(SAMPLES));
};

const fill = async (
  stage: LedgerStage,
  accounts: readonly BenchAccount[],
  count: number,
  report: (line: string) => void,
): Promise<void> => {
  report(`${count} transfers on ${accounts.length} accounts`);
  const at = (index: number) => accounts[index % accounts.length]?.accountId ?? '';
  const payments = Array.from({ length: count }, (_, index) => at(index * 7919));
  await inParallel(chunksOf(payments, 1000), 4, async (chunk) => {
    const entries = chunk.map((accountId) => ({
      entryId: randomUUID(),
      transfers: [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: '1' }],
    }));
    const { results } = await stage.clients.entries.createEntries({ entries });
    const bad = results.find(({ code }) => code !== EntryResultCode.CREATED);
    if (bad !== undefined) throw new Error(`a transfer was refused: code ${bad.code}`);
  });
  await projectionsCaughtUp(stage);
};

/** What many accounts and a long journal cost: the start, the memory, and a read. */
export const benchScale = async (stage: LedgerStage, report: (line: string) => void): Promise<Row[]> => {
  const small = await openAccounts(stage, SMALL, report);
  await stage.restart();
  const readSmall = await medianRead(stage, small);
  const large = await openAccounts(stage, LARGE, report, false);
  await fill(stage, large, TRANSFERS, report);
  const filled = residentMebibytes(stage.pid());
  report('restart');
  const started = performance.now();
  await stage.restart();
  const restart = (performance.now() - started) / 1000;
  const readLarge = await medianRead(stage, large);
  const rows: Row[] = [
    { name: 'restart to serving, 1,000,000 transfers, 100,000 accounts', value: restart, unit: 's' },
    { name: 'RSS after the transfers', value: filled, unit: 'MiB' },
    { name: 'RSS after the restart and reads', value: residentMebibytes(stage.pid()), unit: 'MiB' },
    { name: 'GetBalances median', value: readLarge, unit: 'ms', peer: 'with 1,000 accounts', ratio: readLarge / readSmall },
  ];
  for (const { name, value, unit } of rows) report(`${name}: ${value.toFixed(2)} ${unit}`);
  report('verify');
  await stage.verify();
  return rows;
};
