import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Entry as WireEntry } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { Assets } from '@florin/rpc/assets';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { partsOf, type Scale } from '../domain/item.ts';
import type { CursorStore, Position } from '../store/cursors.ts';
import type { ItemStore } from '../store/items.ts';

/** Scopes of the ledger that are used. */
export const FOLLOWING_SCOPES = [LEDGER_SCOPES.readEntries] as const;

const INTERVAL_MS = 5_000;

/** Every journal has it. */
export const FIRST_SHARD = '0';

export type FollowingParts = {
  channel: RpcChannel;
  cursors: Pick<CursorStore, 'position' | 'move' | 'reopen'>;
  items: Pick<ItemStore, 'put' | 'forget'>;
  assets: Pick<Assets, 'tokens' | 'currencies'>;
  now: () => Date;
  logger: Logger;
};

const toEntry = ({ id, shard, block, createdAt, metadata, transfers }: WireEntry) => ({
  ...{ id, shard, block: Number(block), reference: metadata?.externalReference ?? '', transfers },
  at: createdAt === undefined ? new Date(0) : timestampDate(createdAt),
});

/** Where the journal begins, when what is before was archived. */
const beginning = (error: unknown): { position: string; at: Date } | undefined => {
  if (!(error instanceof CodedError) || error.code !== 'ENTRIES_ARCHIVED') return undefined;
  const { firstPosition = '', archivedUntil = '' } = error.metadata ?? {};
  return firstPosition === '' ? undefined : { position: firstPosition, at: new Date(archivedUntil) };
};

const isGone = (error: unknown): boolean => error instanceof CodedError && error.code === 'POSITION_NOT_AVAILABLE';

/**
 * Follows the ledger's journal, and stores what each entry changes of what cards have spent and was not collected. That is read off its transfers, whatever its kind: a ledger
 * that is a release ahead may have more kinds. The position is stored after the entries, which are recognized
 * when they are read again: killed anywhere, and by several instances side by side. After the ledger was restored to an earlier state its journal is read anew: what the restore has
 * lost is removed.
 */
export const followLedger = ({ channel, cursors, items, assets, now, logger }: FollowingParts): Rounds => {
  const ledger = channel.client(EntryService);
  const scales = new Map(
    assets.tokens.map(({ symbol, decimals, currency, chainId }): [string, Scale] => {
      const currencyDecimals = assets.currencies.find(({ code }) => code === currency)?.decimals ?? 0;
      return [symbol, { currency, decimals, currencyDecimals, chainId }];
    }),
  );

  /**
   * Reads a shard up to its end.
   * @param anewAfter time after which what was read before is removed
   * @returns the number of shards
   */
  const read = async (shard: string, from: Position, anewAfter: Date | undefined, closed: () => boolean): Promise<number> => {
    let shards = 1;
    let forgottenAfter = anewAfter;
    const { position: after, hash: afterBlockHash } = from;
    const begunAt = now();
    for await (const message of ledger.watchEntries({ shard, after, afterBlockHash })) {
      shards = message.shards;
      if (forgottenAfter !== undefined) await items.forget(shard, forgottenAfter);
      forgottenAfter = undefined;
      await items.put(message.entries.map(toEntry).flatMap((entry) => partsOf(entry, (token) => scales.get(token))));
      await cursors.move(shard, {
        position: message.position,
        hash: message.blockHash,
        completeAt: message.caughtUp ? begunAt : undefined,
      });
      if (message.caughtUp || closed()) break;
    }
    return shards;
  };

  const follow = async (shard: string, closed: () => boolean): Promise<number> => {
    let from = await cursors.position(shard);
    let anewAfter: Date | undefined;
    for (;;) {
      try {
        return await read(shard, from, anewAfter, closed);
      } catch (error) {
        const first = from.position === '' ? beginning(error) : undefined;
        if (first !== undefined) {
          from = { position: first.position, hash: '' };
          // Archived entries have outlived every restore.
          anewAfter &&= first.at;
        } else if (isGone(error) && anewAfter === undefined) {
          logger.warn({ shard }, 'the ledger was restored to an earlier state: its journal is read anew');
          await cursors.reopen(shard);
          from = { position: '', hash: '' };
          anewAfter = new Date(0);
        } else throw error;
      }
    }
  };

  return startRounds({
    round: async (closed) => {
      let shards = 1;
      for (let shard = 0; shard < shards && !closed(); shard += 1)
        shards = Math.max(shards, await follow(shard === 0 ? FIRST_SHARD : String(shard), closed));
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: "following the ledger's journal failed, will retry",
  });
};
