import type { WatchEntriesRequest } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceStream } from '@florin/rpc/server';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.ts';
import { entriesForwards } from '../reading/entries-forwards.ts';
import type { Dependencies } from './dependencies.ts';
import { shardOfRequest } from './fields.ts';
import { placedToWire, toWireKind } from './to-wire-entry.ts';

const POLL_MS = 150;
const HEARTBEAT_MS = 8000;

/** Streams per client, and of all clients together, at one instance. */
const LIMITS = { perClient: 16, total: 256 };

const positionIn = (after: string): number => {
  const position = after === '' ? 0 : decodeCursor(after);
  if (position === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'after: must be a position of an earlier message' });
  return position;
};

/** Entries of a shard as they become durable. */
export const watchEntries = ({ blocks, shards, findArchive }: Dependencies) =>
  serviceStream(async function* (request: WatchEntriesRequest, { signal }) {
    const { kinds, shard: named, after, afterBlockHash } = request;
    const shard = shardOfRequest({ shard: named }, shards);
    const batches = entriesForwards(blocks, {
      shard,
      after: { position: positionIn(after), blockHash: afterBlockHash === '' ? undefined : afterBlockHash },
      wanted: ({ kind }) => kinds.length === 0 || kinds.includes(toWireKind(kind)),
      signal,
      pollMs: POLL_MS,
      heartbeatMs: HEARTBEAT_MS,
      findArchive,
    });
    for await (const { entries, place, caughtUp } of batches) {
      yield {
        entries: entries.map(({ entry, n, at }) => placedToWire(entry, { shard, n, at })),
        position: encodeCursor(place.position),
        blockHash: place.blockHash ?? '',
        caughtUp,
        shards: shards.names().length,
      };
    }
  }, LIMITS);
