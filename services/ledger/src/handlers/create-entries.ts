import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EntryResultCode, type NewEntry } from '@florin/proto/ledger/v1/entry';
import { type CreateEntriesRequest, CreateEntriesRequestSchema, EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Intent, Verdict } from '../domain/draft-block.ts';
import { type OrderRules, readOrder } from '../domain/entry-order.ts';
import type { Dependencies } from './dependencies.ts';
import { toMetadata } from './fields.ts';

/** JavaScript represents no times beyond these (ECMA-262, section 21.4.1.1). */
const isTime = (time: Date): boolean => !Number.isNaN(time.getTime());

const toOrder = (entry: NewEntry, rules: OrderRules): ReturnType<typeof readOrder> => {
  const { entryId, transfers, forced, shard } = entry;
  const metadata = entry.metadata && toMetadata(entry.metadata);
  if (entry.holdExpiresAt === undefined) return readOrder({ entryId, transfers, forced, metadata, shard }, rules);
  const holdExpiresAt = timestampDate(entry.holdExpiresAt);
  return isTime(holdExpiresAt) ? readOrder({ entryId, transfers, holdExpiresAt, forced, metadata, shard }, rules) : 'INVALID';
};

const toCode = (outcome: Verdict): EntryResultCode => {
  if (outcome.kind === 'created') return EntryResultCode.CREATED;
  if (outcome.kind === 'exists') return outcome.same ? EntryResultCode.EXISTS : EntryResultCode.EXISTS_WITH_DIFFERENT_CONTENT;
  const code = EntryResultCode[outcome.code as keyof typeof EntryResultCode] as EntryResultCode | undefined;
  if (code === undefined) throw new CodedError(outcome.code);
  return code;
};

/** The part of a batch for one shard. */
type Share = {
  shard: string;
  entries: NewEntry[];
  intents: Intent[];
  /** Places of the entries in the batch. */
  places: number[];
};

/** The rules that orders are read by. */
export const orderRules = ({ assets, shards, systemAccounts }: Dependencies): OrderRules => ({
  isToken: (symbol) => findToken(assets, symbol) !== undefined,
  shardOf: shards.shardOf,
  isShard: (shard) => shards.names().includes(shard),
  systemAccounts,
});

/** A batch of entries, each shard's share in one go. SERVICE_UNAVAILABLE when some may be written: a repeat tells. */
export const createEntries = (parts: Dependencies) => {
  const { shards, limitsOf } = parts;
  const rules = orderRules(parts);
  /** Holds wait for what bounds them; nothing else does. */
  const limited = (intent: Intent, { holdExpiresAt, forced }: NewEntry): Intent | Promise<Intent> => {
    const [accountId] = intent.accounts;
    if (holdExpiresAt === undefined || forced || accountId === undefined) return intent;
    return limitsOf(accountId).then((limits) => ({ ...intent, limits }));
  };
  const limitAll = async (intents: readonly Intent[], entries: readonly NewEntry[]): Promise<readonly Intent[]> =>
    entries.some(({ holdExpiresAt }) => holdExpiresAt !== undefined)
      ? Promise.all(entries.map((entry, index) => limited(intents[index] as Intent, entry)))
      : intents;
  return serviceMethod(async ({ entries }: CreateEntriesRequest, call) => {
    const mayNameReserved = call.caller.scopes.has(LEDGER_SCOPES.systemEntries);
    const codes = new Array<EntryResultCode | undefined>(entries.length);
    const byShard = new Map<string, Share>();
    entries.forEach((entry, index) => {
      const order = toOrder(entry, rules);
      if (typeof order === 'string') {
        codes[index] = EntryResultCode[order];
        return;
      }
      if (order.reserved && !mayNameReserved) {
        throw new CodedError('FORBIDDEN', { message: `scope ${LEDGER_SCOPES.systemEntries} is missing` });
      }
      const share = byShard.get(order.shard) ?? { shard: order.shard, entries: [], intents: [], places: [] };
      byShard.set(order.shard, share);
      share.entries.push(entry);
      share.intents.push(order.intent);
      share.places.push(index);
    });
    const write = async ({ shard, intents, places, ...share }: Share): Promise<void> => {
      const request = create(CreateEntriesRequestSchema, share);
      const { results = [] } = await shards.atShard(shard, { rpc: EntryService.method.createEntries, request, call }, async (journal) => ({
        results: (await journal.judge(await limitAll(intents, share.entries))).map((verdict) => ({ code: toCode(verdict) })),
      }));
      results.forEach(({ code }, index) => {
        codes[places[index] ?? -1] = code;
      });
    };
    await Promise.all([...byShard.values()].map(write));
    return {
      results: entries.map(({ entryId }, index) => ({ entryId, code: codes[index] ?? EntryResultCode.UNSPECIFIED })),
      shards: shards.names().length,
    };
  });
};
