import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type EntriesToSum,
  EntryService,
  type EntrySumsSchema,
  type SumEntriesRequest,
  SumEntriesRequestSchema,
} from '@florin/proto/ledger/v1/entry_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { type AccountState, balanceOf } from '../domain/account-state.ts';
import { decodeEntry } from '../domain/entry.ts';
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from '../domain/page-cursor.ts';
import { createEntrySums } from '../domain/sum-entries.ts';
import type { Journal } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';

type Sums = MessageInitShape<typeof EntrySumsSchema>;

/** Entries that one call looks at, beside a page of each account. */
const BUDGET = 5000;
const PAGE = 200;

const FOREIGN = 'cursors and positions must be those of earlier responses';

/** Adds up the entries of an account, as far as the budget goes. */
const sumOf = async (journal: Journal, { accountId, cursor, after }: EntriesToSum, budget: { left: number }): Promise<Sums> => {
  const sums = createEntrySums(accountId);
  let known = after === '' ? undefined : decodePlace(after);
  let before = cursor === '' ? undefined : decodeCursor(cursor);
  let [position, nextCursor, follows] = ['', '', false];
  for (;;) {
    const rows = await journal.entries(accountId, { limit: PAGE, before, from: known?.at });
    const [newest] = rows;
    if (before === undefined && newest !== undefined) position = encodePlace(newest);
    const end = rows.findIndex((row) => row.position === known?.position && row.at.getTime() === known.at.getTime());
    follows = end !== -1;
    for (const { line } of follows ? rows.slice(0, end) : rows) sums.add(decodeEntry(line));
    if (follows) break;
    before = rows.at(-1)?.position ?? before;
    if (rows.length < PAGE && known === undefined) break;
    // The journal was restored since: every entry counts.
    if (rows.length < PAGE) known = undefined;
    budget.left -= rows.length;
    if (budget.left <= 0 && before !== undefined) {
      nextCursor = encodeCursor(before);
      break;
    }
  }
  return { accountId, ...withBalances(sums, await journal.account(accountId)), position, nextCursor, follows };
};

/** Tokens that an account has a balance in. */
const tokensOf = (state: AccountState | undefined): string[] => (state?.keys ?? []).map((key) => key.slice(0, key.indexOf('/')));

const withBalances = ({ totals, settled }: ReturnType<typeof createEntrySums>, state: AccountState | undefined) => ({
  tokens: [...new Set([...totals.keys(), ...tokensOf(state)])].map((token) => {
    const { booked, elsewhere, refused } = totals.get(token) ?? { booked: 0n, elsewhere: 0n, refused: 0n };
    const balance = (bucket: 'settling' | 'held' | 'incoming') => (state === undefined ? 0n : balanceOf(state, token, bucket)).toString();
    const parts = { settling: balance('settling'), held: balance('held'), incoming: balance('incoming') };
    return { token, booked: booked.toString(), elsewhere: elsewhere.toString(), refused: refused.toString(), ...parts };
  }),
  settled: settled.map(({ entryId, token, amount }) => ({ entryId, token, amount: amount.toString() })),
});

/** Sums of the entries of some accounts, each shard's share in one go. */
export const sumEntries = ({ shards }: Dependencies) =>
  serviceMethod(async ({ accounts }: SumEntriesRequest, call) => {
    const isRepeated = new Set(accounts.map(({ accountId }) => accountId)).size < accounts.length;
    const isForeign = accounts.some(
      ({ cursor, after }) => (cursor !== '' && decodeCursor(cursor) === undefined) || (after !== '' && decodePlace(after) === undefined),
    );
    requireFields({ accounts: isRepeated ? 'must name an account once' : isForeign ? FOREIGN : undefined });
    const rpc = EntryService.method.sumEntries;
    const shares = [...Map.groupBy(accounts, ({ accountId }) => shards.shardOf(accountId))].map(([shard, own]) => {
      const request = create(SumEntriesRequestSchema, { accounts: own });
      return shards.atShard(shard, { rpc, request, call }, async (journal) => {
        const budget = { left: BUDGET };
        return { sums: await Promise.all(own.map((account) => sumOf(journal, account, budget))) };
      });
    });
    const found = new Map((await Promise.all(shares)).flatMap(({ sums = [] }) => sums.map((one) => [one.accountId, one] as const)));
    return { sums: accounts.map(({ accountId }) => found.get(accountId) ?? { accountId }) };
  });
