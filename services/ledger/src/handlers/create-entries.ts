import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EntryResultCode, type NewEntry } from '@florin/proto/ledger/v1/entry';
import { type CreateEntriesRequest, CreateEntriesRequestSchema, EntryService } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { findToken } from '../domain/assets.ts';
import type { Intent } from '../domain/draft-block.ts';
import { type OrderRules, readOrder } from '../domain/entry-order.ts';
import type { Outcome } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_ENTRIES = 1000;

/** Beyond this a time is no time (ECMA-262, section 21.4.1.1). */
const isTime = (time: Date): boolean => !Number.isNaN(time.getTime());

const toOrder = ({ entryId, transfers, holdExpiresAt }: NewEntry, rules: OrderRules): ReturnType<typeof readOrder> => {
  if (holdExpiresAt === undefined) return readOrder({ entryId, transfers }, rules);
  const expiresAt = timestampDate(holdExpiresAt);
  return isTime(expiresAt) ? readOrder({ entryId, transfers, holdExpiresAt: expiresAt }, rules) : 'INVALID';
};

const toCode = (outcome: Outcome): EntryResultCode => {
  if (outcome.kind === 'created') return EntryResultCode.CREATED;
  if (outcome.kind === 'exists') return outcome.same ? EntryResultCode.EXISTS : EntryResultCode.EXISTS_WITH_DIFFERENT_CONTENT;
  const code = EntryResultCode[outcome.code as keyof typeof EntryResultCode] as EntryResultCode | undefined;
  if (code === undefined) throw new CodedError(outcome.code);
  return code;
};

/** What a batch has for one shard. */
type Share = {
  /** An account of the shard. */
  accountId: string;
  entries: NewEntry[];
  intents: Intent[];
  /** Places of the entries in the batch. */
  places: number[];
};

/**
 * A batch of entries, each shard's share in one go.
 * @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE (then some may be written: a repeat tells)
 */
export const createEntries = ({ assets, shards }: Dependencies) =>
  serviceMethod('ledger.entries.write', async ({ entries }: CreateEntriesRequest, call) => {
    if (entries.length === 0 || entries.length > MAX_ENTRIES) {
      throw new CodedError('VALIDATION_FAILED', { message: `entries: must be 1 to ${MAX_ENTRIES}` });
    }
    const rules: OrderRules = { isToken: (symbol) => findToken(assets, symbol) !== undefined, shardOf: shards.shardOf };
    const codes = new Array<EntryResultCode | undefined>(entries.length);
    const byShard = new Map<string, Share>();
    entries.forEach((entry, index) => {
      const order = toOrder(entry, rules);
      if (typeof order === 'string') {
        codes[index] = EntryResultCode[order];
        return;
      }
      const share = byShard.get(order.shard) ?? { accountId: order.accountId, entries: [], intents: [], places: [] };
      byShard.set(order.shard, share);
      share.entries.push(entry);
      share.intents.push(order.intent);
      share.places.push(index);
    });
    const write = async ({ accountId, intents, places, ...share }: Share): Promise<void> => {
      const request = create(CreateEntriesRequestSchema, share);
      const { results = [] } = await shards.atOwner(
        accountId,
        { rpc: EntryService.method.createEntries, request, call },
        async (journal) => ({
          results: (await journal.append(intents)).map((outcome) => ({ code: toCode(outcome) })),
        }),
      );
      results.forEach(({ code }, index) => {
        codes[places[index] ?? -1] = code;
      });
    };
    await Promise.all([...byShard.values()].map(write));
    return { results: entries.map(({ entryId }, index) => ({ entryId, code: codes[index] ?? EntryResultCode.UNSPECIFIED })) };
  });
