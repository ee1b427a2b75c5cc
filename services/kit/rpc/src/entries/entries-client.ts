import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EntryResultCode, NewEntrySchema } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import type { RpcChannel } from '../client/index.ts';
import { createCoalescer } from '../coalesce.ts';
import { CodedError, type ErrorCode } from '../errors/index.ts';

type NewEntry = MessageInitShape<typeof NewEntrySchema>;

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_ENTRIES = 500;
const MAX_CALLS = 2;

/** The ledger takes requests of 1 MiB. */
const MAX_BYTES = 768 * 1024;
/** More than the ids, amounts and names of an entry and of a transfer take. */
const ENTRY_BYTES = 128;
const TRANSFER_BYTES = 192;
const BYTES_PER_CHARACTER = 3;

/** Upper bound of the encoded size of an entry within the contract's limits. */
const bytesOf = ({ transfers = [], metadata }: NewEntry): number => {
  const { actor = '', reason = '', externalReference = '', labels = {} } = metadata ?? {};
  const labelled = Object.entries(labels).reduce((sum, [key, value]) => sum + key.length + value.length + 8, 0);
  const text = actor.length + reason.length + externalReference.length + labelled;
  return ENTRY_BYTES + TRANSFER_BYTES * transfers.length + BYTES_PER_CHARACTER * text;
};

/** Codes of calls that wrote nothing because of one of their entries. */
const ENTRY_ERRORS: readonly ErrorCode[] = ['VALIDATION_FAILED', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE'];

/** The ledger's `CreateEntries`, one entry at a time. */
export type EntriesClient = {
  /**
   * Books an entry. Its id is its idempotency key: a repeat returns EXISTS.
   * @param options.timeoutMs longest wait, in milliseconds. Default: 5000
   * @returns what became of the entry
   * @throws CodedError VALIDATION_FAILED, FORBIDDEN, and SERVICE_UNAVAILABLE, after which a repeat finds out what happened
   */
  create: (entry: NewEntry, options?: { timeoutMs?: number }) => Promise<EntryResultCode>;
};

/** Groups of entries while the number of shards is not known: a multiple of the usual numbers, so that no group has entries of two shards. */
const GROUPS_AT_FIRST = 48;

const UUID_LENGTH = 36;

/** Account that decides on an entry's shard: the first one that is a user's; empty for a system entry. */
const accountOf = ({ transfers = [] }: NewEntry): string => {
  for (const { debit = '', credit = '' } of transfers) {
    for (const side of [debit, credit]) if (side.length >= UUID_LENGTH && side[8] === '-') return side.slice(0, UUID_LENGTH).toLowerCase();
  }
  return '';
};

/**
 * Creates a client that gathers the entries of concurrent callers: what arrives while calls are in flight goes out with the next call. The ledger
 * judges each entry by itself. All calls carry the token of the channel, so that entries of different identities never share a call, and entries of
 * different shards do not either: a shard without an owner delays its own entries only.
 */
export const createEntriesClient = (channel: RpcChannel): EntriesClient => {
  const { createEntries } = channel.client(EntryService, { also: ENTRY_ERRORS });
  let groups = GROUPS_AT_FIRST;
  let submits = new Map<string, ReturnType<typeof createCoalescer<NewEntry, EntryResultCode>>>();

  /** Deliveries in flight end in their former groups. */
  const regroup = (shards: number): void => {
    if (shards === 0 || shards === groups) return;
    groups = shards;
    submits = new Map();
  };

  const newCoalescer = () =>
    createCoalescer<NewEntry, EntryResultCode>({
      maxItems: MAX_ENTRIES,
      maxCalls: MAX_CALLS,
      weigh: bytesOf,
      maxWeight: MAX_BYTES,
      mayBlameItem: (error) => error instanceof CodedError && ENTRY_ERRORS.includes(error.code),
      send: async (entries, { timeoutMs = DEFAULT_TIMEOUT_MS }) => {
        const { results, shards } = await createEntries({ entries: [...entries] }, { timeoutMs });
        regroup(shards);
        return results.map(({ code }) => code);
      },
    });

  const groupOf = (entry: NewEntry): string => {
    const account = accountOf(entry);
    return account === '' ? entry.shard || '0' : shardOf(account, groups);
  };

  return {
    create: (entry, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) => {
      const group = groupOf(entry);
      const submit = submits.get(group) ?? newCoalescer();
      submits.set(group, submit);
      return submit(entry, { timeoutMs });
    },
  };
};
