import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import type { Journal } from '../journal/journal.ts';
import { NotHereError } from './holding.ts';
import type { InstanceProofs } from './instance-proof.ts';
import { type Keeper, type KeeperOptions, startKeeper } from './keeper.ts';
import { type Ask, createPeers, elsewhere, isElsewhere, isForwarded, missedOwner } from './peers.ts';

/** Pause between two looks for an owner. */
const LOOK_MS = 50;

/** How long an instance may take to answer before this one looks whether it still owns the shard. */
const WATCH_MS = 150;

/** Time that the opening of a shard may take, while calls for it wait. */
const OPENING_MS = 2500;

/** The shards of the journal, wherever they are. */
export type Shards = {
  names: () => readonly string[];
  /** Shard that an account lives in. */
  shardOf: (accountId: string) => string;
  /**
   * Runs an RPC at the owner of the account's shard: here, or by repeating the RPC there in its caller's name. Without an owner it
   * waits for one, for a lease time and that of an opening, and takes the shard when it is this instance's turn.
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
  /** Answer to a challenge by another instance (`instance-proof.ts`). */
  prove: (nonce: Uint8Array) => Promise<string>;
  /** Begins to own shards. @throws InvariantError when the stored journal of one that fell to this instance contradicts itself */
  start: (url: string) => Promise<void>;
  /** Hands every shard over to another instance, if there is one, while this one still takes calls. @param servesMs for so long in any case */
  handOver: (servesMs?: number) => Promise<void>;
  /** Rejects while a journal that should be open here is not, or takes no entries. */
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export type ShardsOptions = Omit<KeeperOptions, 'shards' | 'url' | 'seen'> & {
  count: number;
  proofs: InstanceProofs;
  /** Opens a channel to another instance. */
  connect: (url: string, timeoutMs: number) => RpcChannel;
};

export const createShards = (options: ShardsOptions): Shards => {
  const { count, leaseMs, connect, proofs, logger } = options;
  const names = Array.from({ length: count }, (_, index) => String(index));
  const place = (accountId: string) => shardOf(accountId, count);
  const peers = createPeers({ connect, proofs, logger });
  const started = Promise.withResolvers<Keeper>();
  const advertised = Promise.withResolvers<string>();
  let keeper: Keeper | undefined;
  const journals = (): Journal[] => (keeper?.holdings() ?? []).flatMap((holding) => holding.journal() ?? []);

  /**
   * Repeats a call at another instance, until it is known that the shard is owned elsewhere: an instance that was killed or suspended, or is cut off, does
   * not answer.
   * @returns the answer; undefined when the owner has changed
   */
  const forward = async <I extends DescMessage, O extends DescMessage>(kept: Keeper, shard: string, url: string, ask: Ask<I, O>) => {
    const server = (): unknown => kept.here(shard) ?? kept.owner(shard);
    const before = server();
    const moved = new AbortController();
    const answered = peers.forward(url, ask, AbortSignal.any([ask.call.signal, moved.signal]));
    const isSettled = answered.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isSettled, pause(WATCH_MS, false)]))) {
      const now = server();
      if (now !== before && now !== undefined && now !== url) {
        moved.abort();
        return undefined;
      }
      kept.look(shard, false).catch(() => undefined);
    }
    return answered;
  };

  /** Repeats a call elsewhere. @returns the answer, or true if all others have denied owning the shard or are silent */
  const askOthers = async <I extends DescMessage, O extends DescMessage>(kept: Keeper, shard: string, ask: Ask<I, O>) => {
    let unserved = true;
    for (const url of kept.elsewhere(shard)) {
      try {
        return { answer: await forward(kept, shard, url, ask), unserved: false };
      } catch (error) {
        if (!missedOwner(error)) throw error;
        if (!isElsewhere(error) && peers.silentMs(url) < leaseMs) unserved = false;
      }
    }
    return { answer: undefined, unserved };
  };

  const atShard: Shards['atShard'] = async (shard, ask, here) => {
    const kept = await started.promise;
    const end = performance.now() + leaseMs + OPENING_MS;
    for (;;) {
      const holding = kept.here(shard);
      const asked = await holding?.run(here).then(
        (answer) => ({ answer }),
        (error: unknown) => {
          if (!(error instanceof NotHereError)) throw error;
          return undefined;
        },
      );
      if (asked !== undefined) return asked.answer;
      const arriving = kept.arriving(shard);
      if (isForwarded(ask.call)) {
        if (arriving === undefined) throw elsewhere();
        await arriving;
        if (kept.here(shard) === undefined) throw elsewhere();
        continue;
      }
      const others = await askOthers(kept, shard, ask);
      // A whole message is one that may be completed, which the compiler does not see for a type that is not known yet.
      if (others.answer !== undefined) return others.answer as never;
      if (arriving === undefined) await kept.look(shard, others.unserved);
      else await arriving;
      // Taken just now: what is opening is waited for.
      if (holding === undefined && kept.here(shard) !== undefined) continue;
      if (ask.call.signal.aborted || performance.now() > end) {
        throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no instance owns the shard of this account now' });
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
    prove: async (nonce) => proofs.prove(await advertised.promise, nonce),
    start: async (url) => {
      advertised.resolve(url);
      keeper = await startKeeper({ ...options, shards: names, url, seen: peers.keepOnly });
      started.resolve(keeper);
    },
    health: async () => {
      if (keeper === undefined) throw new Error('not started yet');
      await keeper.health();
      for (const journal of journals()) await journal.health();
    },
    handOver: async (servesMs) => keeper?.handOver(servesMs),
    close: async () => {
      await keeper?.close();
      await peers.close();
    },
  };
};
