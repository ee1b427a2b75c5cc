import type { Client } from '@connectrpc/connect';
import type { Entry } from '@florin/proto/ledger/v1/entry';
import type { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { derivedId } from '@florin/rpc/runtime';
import { extendTrail, type Trail } from '../domain/trail.ts';
import { type Appending, appendToFeeds } from '../feed/append-to-feeds.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { JournalCursorStore } from '../store/journal-cursors.ts';
import { entryEvent, isKnownKind } from './entry-events.ts';
import { numberChanges } from './number-changes.ts';

export type ShardParts = Appending & {
  ledger: Pick<Client<typeof EntryService>, 'watchEntries'>;
  cursors: JournalCursorStore;
  blocks: Pick<BlockStore, 'findKeys'>;
  logger: Logger;
};

/** Shortest time between two writes of the position, which cost as much as appending the events: those that are read again after a kill are dropped as twins. */
const SAVE_MS = 250;

/** The same for every reading of the entry, so that a reader recognizes a repeat. */
const idOf = ({ shard, id }: Pick<Entry, 'shard' | 'id'>): string => derivedId(`florin/entry/${shard}/${id}`);

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
  const outcomes = await appendToFeeds(parts, await numberChanges(parts.blocks, events));
  const taken = outcomes.findIndex(({ outcome }) => outcome === 'taken');
  if (taken !== -1) throw new Error(`the feed has another event for the entry ${events[taken]?.event.subject}`);
  if (unknown !== undefined) throw new UnknownEntryError(unknown);
};

/** Where the journal begins, when what is before was archived. */
const beginning = (error: unknown): string | undefined =>
  error instanceof CodedError && error.code === 'ENTRIES_ARCHIVED' ? error.metadata?.['firstPosition'] : undefined;

const isGone = (error: unknown): boolean => error instanceof CodedError && error.code === 'POSITION_NOT_AVAILABLE';

/**
 * Reads one stream of a shard until it ends, and appends its money events. The position is stored some time after the events are in the feeds: a kill in
 * between reads them once more, and their twins are dropped. A journal that was restored to an earlier state is read on from the newest mark of the trail that it has, and one
 * that was archived before it was ever read, from where it begins.
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
  const { ledger, cursors, logger } = parts;
  let trail: Trail = await cursors.find(shard);
  /** True until the journal has confirmed where the trail ends. */
  let isLost = trail.length === 0;
  let stored = trail;
  let storedAt = Number.NEGATIVE_INFINITY;

  const store = async (): Promise<void> => {
    if (trail === stored || trail.length === 0) return;
    await cursors.save(shard, trail);
    stored = trail;
    storedAt = performance.now();
  };

  const read = async (): Promise<void> => {
    const [{ position: after, blockHash: afterBlockHash } = { position: '', blockHash: '' }] = trail;
    try {
      for await (const message of ledger.watchEntries({ shard, after, afterBlockHash }, { signal })) {
        heard(message.shards);
        await appendEntries(parts, message.entries);
        isLost = false;
        if (message.entries.length > 0) trail = extendTrail(trail, message);
        if (message.entries.length === 0 || performance.now() - storedAt >= SAVE_MS) await store();
      }
    } finally {
      if (!isLost) await store();
    }
  };

  for (;;) {
    try {
      return await read();
    } catch (error) {
      const first = isLost ? beginning(error) : undefined;
      if (first !== undefined) trail = extendTrail([], { position: first, blockHash: '' });
      else if (isGone(error) && trail.length > 0) {
        logger.error(
          { shard, position: trail[0]?.position },
          'the journal does not have what was read of it: reading on from an earlier position',
        );
        trail = trail.slice(1);
        isLost = true;
      } else throw error;
    }
  }
};
