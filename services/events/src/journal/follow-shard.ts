import { createHash } from 'node:crypto';
import type { Client } from '@connectrpc/connect';
import type { Entry } from '@florin/proto/ledger/v1/entry';
import type { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidV8 } from '@florin/rpc/runtime';
import type { AppendToFeed } from '../feed/append.ts';
import { appendToFeeds } from '../feed/append-to-feeds.ts';
import type { FindFeed } from '../feed/find-feed.ts';
import type { JournalCursorStore } from '../store/journal-cursors.ts';
import { entryEvent, isKnownKind } from './entry-events.ts';

export type ShardParts = {
  ledger: Pick<Client<typeof EntryService>, 'watchEntries'>;
  cursors: JournalCursorStore;
  append: AppendToFeed;
  findFeed: FindFeed;
};

/** The same for every reading of the entry, so that a reader recognizes a repeat. */
const idOf = ({ shard, id }: Pick<Entry, 'shard' | 'id'>): string =>
  uuidV8(createHash('sha256').update(`florin/entry/${shard}/${id}`).digest());

/** An entry of a later release: its event would be lost if it were passed over. */
export class UnknownEntryError extends Error {
  constructor({ id, shard, kind }: Entry) {
    super(`the entry ${id} of shard ${shard} is of kind ${kind}, which this release does not know`);
    this.name = 'UnknownEntryError';
  }
}

/** Appends the events of entries to the feeds that they belong to. @throws UnknownEntryError once all entries before that one are appended */
const appendEntries = async (parts: ShardParts, entries: readonly Entry[]): Promise<void> => {
  const unknown = entries.find(({ kind }) => !isKnownKind(kind));
  const known = unknown === undefined ? entries : entries.slice(0, entries.indexOf(unknown));
  const events = known.flatMap((entry) => {
    const event = entryEvent(entry, idOf);
    return event === undefined ? [] : [{ event, concern: { type: event.type, subjectId: '', data: { accountId: entry.accountId } } }];
  });
  const outcomes = await appendToFeeds(parts, events);
  const taken = outcomes.findIndex(({ outcome }) => outcome === 'taken');
  if (taken !== -1) throw new Error(`the feed has another event for the entry ${events[taken]?.event.subject}`);
  if (unknown !== undefined) throw new UnknownEntryError(unknown);
};

/** Where the journal begins, when it was archived before it was ever read. */
const beginning = (error: unknown): string | undefined =>
  error instanceof CodedError && error.code === 'ENTRIES_ARCHIVED' ? error.metadata?.['firstPosition'] : undefined;

/**
 * Reads one stream of a shard until it ends, and appends its money events. The position is stored after the events are in the feeds: a kill in
 * between reads them once more, and their twins are dropped.
 * @param heard called with each message, and the number of shards that the journal has
 * @throws UnknownEntryError: a later release has to read on
 * @throws CodedError of the stream; ENTRIES_ARCHIVED when entries that were not read yet are in archive files
 */
export const followShard = async (
  parts: ShardParts,
  shard: string,
  signal: AbortSignal,
  heard: (shards: number) => void,
): Promise<void> => {
  const { ledger, cursors } = parts;
  const stored = await cursors.find(shard);
  try {
    for await (const { entries, position, shards } of ledger.watchEntries({ shard, after: stored }, { signal })) {
      heard(shards);
      if (entries.length > 0) await appendEntries(parts, entries);
      if (entries.length > 0) await cursors.save(shard, position);
    }
  } catch (error) {
    const first = stored === '' ? beginning(error) : undefined;
    if (first === undefined) throw error;
    await cursors.save(shard, first);
  }
};
