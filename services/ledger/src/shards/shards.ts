import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import { shardOf } from '../domain/placement.ts';
import type { Journal } from '../journal/journal.ts';
import { type Keeper, type KeeperOptions, startKeeper } from './keeper.ts';
import { type Ask, createPeers, elsewhere, isForwarded, missedOwner } from './peers.ts';

/** Pause between two looks for an owner. */
const LOOK_MS = 50;

/** The shards of the journal, wherever they are. */
export type Shards = {
  names: () => readonly string[];
  /** Shard that an account lives in. */
  shardOf: (accountId: string) => string;
  /**
   * Does what an RPC asks at the owner of the account's shard: here, or by repeating the RPC there in its caller's name. Without an
   * owner it waits for one, for somewhat more than a lease time, and takes the shard when it is this instance's turn.
   * @throws CodedError SERVICE_UNAVAILABLE when no owner was found, and what `here` or the owner raised
   */
  atOwner: <I extends DescMessage, O extends DescMessage>(
    accountId: string,
    ask: Ask<I, O>,
    here: (journal: Journal) => Promise<MessageInitShape<O>>,
  ) => Promise<MessageInitShape<O>>;
  /** The same for a shard that is named. */
  atShard: <I extends DescMessage, O extends DescMessage>(
    shard: string,
    ask: Ask<I, O>,
    here: (journal: Journal) => Promise<MessageInitShape<O>>,
  ) => Promise<MessageInitShape<O>>;
  /** The journals that are open here. */
  journals: () => readonly Journal[];
  /** Begins to own shards. @throws InvariantError when the stored journal of one that fell to this instance contradicts itself */
  start: (url: string) => Promise<void>;
  /** Rejects while a journal that should be open here is not, or takes no entries. */
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export type ShardsOptions = Omit<KeeperOptions, 'shards' | 'url' | 'silentMs' | 'seen'> & { count: number };

export const createShards = (options: ShardsOptions): Shards => {
  const { count, leaseMs } = options;
  const names = Array.from({ length: count }, (_, index) => String(index));
  const place = (accountId: string) => shardOf(accountId, count);
  const peers = createPeers();
  const started = Promise.withResolvers<Keeper>();
  let keeper: Keeper | undefined;
  const journals = (): Journal[] => (keeper?.holdings() ?? []).flatMap((holding) => holding.journal() ?? []);

  const atShard: Shards['atShard'] = async (shard, ask, here) => {
    const { look, ...kept } = await started.promise;
    const end = performance.now() + leaseMs * 1.5;
    for (;;) {
      const holding = kept.here(shard);
      if (holding !== undefined) return holding.run(here);
      if (isForwarded(ask.call)) throw elsewhere();
      const url = kept.ownerUrl(shard);
      try {
        // A whole message is one that may be completed, which the compiler does not see for a type that is not known yet.
        if (url !== undefined) return (await peers.forward(url, ask)) as never;
      } catch (error) {
        if (!missedOwner(error)) throw error;
      }
      await look(shard);
      if (kept.here(shard) !== undefined) continue;
      if (ask.call.signal.aborted || performance.now() > end) {
        throw new CodedError('SERVICE_UNAVAILABLE', { message: 'nobody owns the shard of this account now' });
      }
      await pause(LOOK_MS);
    }
  };

  return {
    names: () => names,
    shardOf: place,
    atOwner: (accountId, ask, here) => atShard(place(accountId), ask, here),
    atShard,
    journals,
    start: async (url) => {
      keeper = await startKeeper({ ...options, shards: names, url, silentMs: peers.silentMs, seen: peers.keepOnly });
      started.resolve(keeper);
    },
    health: async () => {
      if (keeper === undefined) throw new Error('not started yet');
      await keeper.health();
      for (const journal of journals()) await journal.health();
    },
    close: async () => {
      await keeper?.close();
      await peers.close();
    },
  };
};
