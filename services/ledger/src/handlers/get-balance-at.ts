import { timestampDate } from '@bufbuild/protobuf/wkt';
import { BalanceService, type GetBalanceAtRequest } from '@florin/proto/ledger/v1/balance_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import { touchedBy } from '../domain/apply-entry.ts';
import { linesOf } from '../domain/block.ts';
import { decodeEntry } from '../domain/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { entriesArchived } from '../reading/archived.ts';
import { blockAt } from '../reading/block-at.ts';
import type { Dependencies } from './dependencies.ts';
import { ONE_ACCOUNT, shardOfRequest } from './fields.ts';

const ROWS_PER_READ = 100;

/** Every entry states the booked balances that it left behind: the newest one that touches the token tells. */
const bookedBefore = async (journal: Journal, accountId: string, token: string, to: Date): Promise<Amount | undefined> => {
  for (let before: number | undefined, limit = 1; ; limit = ROWS_PER_READ) {
    const rows = await journal.entries(accountId, { limit, before, to, token });
    for (const { line, position } of rows) {
      const { transfers, booked } = decodeEntry(line);
      const place = touchedBy(transfers).findIndex((touched) => touched.accountId === accountId && touched.token === token);
      if (place !== -1) return booked[place];
      before = position;
    }
    if (rows.length < limit) return undefined;
  }
};

const ofUser = async ({ assets }: Dependencies, journal: Journal, accountId: string, at: Date): Promise<Map<string, Amount>> => {
  const found = new Map<string, Amount>();
  const to = new Date(at.getTime() + 1);
  for (const { symbol } of assets.tokens) {
    const balance = await bookedBefore(journal, accountId, symbol, to);
    if (balance !== undefined) found.set(symbol, balance);
  }
  return found;
};

/** From the balance of now, less what was moved since. */
const ofSystem = async ({ blocks, findArchive }: Dependencies, journal: Journal, name: string, at: Date): Promise<Map<string, Amount>> => {
  const archive = await findArchive(journal.shard);
  if (archive !== undefined && at < archive.at) throw entriesArchived(archive);
  const last = journal.tail().n;
  const found = new Map<string, Amount>();
  for (const [key, amount] of journal.systems()) if (key.startsWith(`${name}/`)) found.set(key.slice(name.length + 1), amount);
  const quoted = JSON.stringify(name);
  for await (const block of blocks.after(journal.shard, await blockAt(blocks, journal.shard, at))) {
    if (block.n > last) break;
    for (const line of linesOf(block)) {
      if (!line.includes(quoted)) continue;
      for (const { debit, credit, token, amount } of decodeEntry(line).transfers) {
        if (debit === name) found.set(token, (found.get(token) ?? 0n) + amount);
        if (credit === name) found.set(token, (found.get(token) ?? 0n) - amount);
      }
    }
  }
  return found;
};

/** Balances of an account as of a time. */
export const getBalanceAt = (parts: Dependencies) =>
  serviceMethod((request: GetBalanceAtRequest, call) => {
    const { accountId, systemAccount } = request;
    const at = timestampDate(stated(request.at));
    requireFields({ account_id: (accountId === '') === (systemAccount === '') ? ONE_ACCOUNT : undefined });
    if (at > parts.runtime.now()) throw new CodedError('VALIDATION_FAILED', { message: 'at: must not be in the future' });
    if (systemAccount !== '' && !parts.systemAccounts.has(systemAccount)) throw new CodedError('ACCOUNT_NOT_FOUND');
    const shard = shardOfRequest(request, parts.shards);
    return parts.shards.atShard(shard, { rpc: BalanceService.method.getBalanceAt, request, call }, async (journal) => {
      if (accountId !== '' && (await journal.account(accountId)) === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const found = accountId === '' ? await ofSystem(parts, journal, systemAccount, at) : await ofUser(parts, journal, accountId, at);
      const balances = [...found].map(([token, balance]) => ({ token, balance: balance.toString() }));
      return { balances: balances.sort((a, b) => (a.token < b.token ? -1 : 1)) };
    });
  });
