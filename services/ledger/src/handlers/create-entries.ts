import { timestampDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/kit/errors';
import { serviceMethod } from '@florin/kit/rpc';
import { EntryResultCode, type NewEntry } from '@florin/proto/ledger/v1/entry';
import type { CreateEntriesRequest } from '@florin/proto/ledger/v1/entry_service';
import { findToken } from '../domain/assets.ts';
import { type Order, type OrderRules, readOrder } from '../domain/entry-order.ts';
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

/**
 * A batch of entries, each shard's share in one go.
 * @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE (then some may be written: a repeat tells)
 */
export const createEntries = ({ assets, shards }: Dependencies) =>
  serviceMethod('ledger.entries.write', async ({ entries }: CreateEntriesRequest) => {
    if (entries.length === 0 || entries.length > MAX_ENTRIES) {
      throw new CodedError('VALIDATION_FAILED', { message: `entries: must be 1 to ${MAX_ENTRIES}` });
    }
    const rules: OrderRules = { isToken: (symbol) => findToken(assets, symbol) !== undefined, shardOf: shards.shardOf };
    const codes = new Array<EntryResultCode>(entries.length);
    const byShard = new Map<string, { index: number; order: Order }[]>();
    entries.forEach((entry, index) => {
      const order = toOrder(entry, rules);
      if (typeof order === 'string') {
        codes[index] = EntryResultCode[order];
        return;
      }
      const share = byShard.get(order.shard);
      if (share === undefined) byShard.set(order.shard, [{ index, order }]);
      else share.push({ index, order });
    });
    await Promise.all(
      [...byShard.values()].map(async (share) => {
        const [first] = share;
        if (first === undefined) return;
        const outcomes = await shards.journalOf(first.order.accountId).append(share.map(({ order }) => order.intent));
        share.forEach(({ index }, place) => {
          const outcome = outcomes[place];
          if (outcome !== undefined) codes[index] = toCode(outcome);
        });
      }),
    );
    return { results: entries.map(({ entryId }, index) => ({ entryId, code: codes[index] ?? EntryResultCode.UNSPECIFIED })) };
  });
