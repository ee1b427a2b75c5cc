import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Journal } from '../journal/journal.ts';
import { createHolding, type Holding } from './holding.ts';
import { fairShare, type Lease } from './lease.ts';
import type { Leases } from './leases.ts';

/** Rounds per lease time: a lease outlives two that fail. */
const ROUNDS_PER_LEASE = 3;

/** From so many terms one is chosen by chance when they cannot be numbered. */
const UNNUMBERED_TERMS = 1_000_000;

/** What this instance owns, and what it knows of the owners of the rest. */
export type Keeper = {
  /** The shard, when it is this instance's; its journal may still be opening. */
  here: (shard: string) => Holding | undefined;
  /** Where the shard's owner was seen last; undefined when nobody is known. */
  ownerUrl: (shard: string) => string | undefined;
  /** Asks at once who owns a shard, and takes it when it is this instance's turn. For calls that found nobody. */
  look: (shard: string) => Promise<void>;
  holdings: () => readonly Holding[];
  /** Rejects with what keeps a shard that fell to this instance from being opened. */
  health: () => Promise<void>;
  /** Gives everything back. */
  close: () => Promise<void>;
};

export type KeeperOptions = {
  shards: readonly string[];
  instance: string;
  /** Where the other instances reach this one. */
  url: string;
  leaseMs: number;
  leases: Leases;
  /** Opens a shard's journal for a term of writing. */
  open: (shard: string, epoch: number) => Promise<Journal>;
  /** Term of a shard's last block; 0 without one. */
  lastEpoch: (shard: string) => Promise<number>;
  /** For how long nobody answered at a url, in milliseconds. */
  silentMs: (url: string) => number;
  /** Told the urls of the owners after each round. */
  seen: (urls: ReadonlySet<string>) => void;
  newId: () => string;
  randomInt: (min: number, max: number) => number;
  logger: Logger;
};

/**
 * Keeps a fair share of the shards. In rounds, several per lease time, it says that it is alive, prolongs its leases, gives back what
 * exceeds its share (the others are more by now), and takes what is free: up to its share, and beyond it what nobody took for a whole lease time.
 *
 * While Redis is away nothing changes hands, except that an instance that is asked for a shard whose owner is unknown, or silent for a
 * lease time, acts as its owner: two may do so at once, and the block number decides between them. When Redis is back, one of them gets
 * the lease and the other one goes.
 *
 * @throws InvariantError when the stored journal of a shard that fell to this instance contradicts itself
 */
export const startKeeper = async (options: KeeperOptions): Promise<Keeper> => {
  const { shards, instance, url, leaseMs, leases, lastEpoch, silentMs, newId, randomInt, logger } = options;
  const held = new Map<string, Holding>();
  const owners = new Map<string, Lease>();
  /** Since when nobody owns a shard, by the monotonic clock. */
  const freeSince = new Map<string, number>();
  const failures = new Map<string, unknown>();
  const leaving = new Map<Holding, Promise<void>>();
  const looking = new Map<string, Promise<void>>();
  let share = shards.length;
  let renewing: Promise<unknown> = Promise.resolve();
  let closed = false;

  const release = async ({ shard, lease }: Pick<Holding, 'shard' | 'lease'>): Promise<void> => {
    await leases.release(shard, lease).catch((err: unknown) => logger.warn({ err, shard }, 'a lease was not given back, it will run out'));
  };

  const leaveNow = async (holding: Holding): Promise<void> => {
    logger.info({ shard: holding.shard }, 'leaving a shard');
    await holding.close().catch((err: unknown) => logger.warn({ err, shard: holding.shard }, 'a shard was not closed well'));
    held.delete(holding.shard);
    await renewing.catch(() => undefined);
    await release(holding);
  };

  /** Closes a shard. Its lease is prolonged until everything is stored, and only then given back. */
  const leave = (holding: Holding): Promise<void> => {
    const work = leaving.get(holding) ?? leaveNow(holding).finally(() => leaving.delete(holding));
    leaving.set(holding, work);
    return work;
  };

  const begin = (shard: string, lease: Lease): Holding => {
    const holding = createHolding({ shard, lease, leaseMs, open: options.open });
    held.set(shard, holding);
    owners.delete(shard);
    freeSince.delete(shard);
    logger.info({ shard, epoch: lease.epoch }, 'owning a shard');
    holding.opened.then(
      () => failures.delete(shard),
      (err: unknown) => {
        logger.error({ err, shard }, 'a shard cannot be opened');
        failures.set(shard, err);
        return leave(holding);
      },
    );
    return holding;
  };

  const newLease = async (shard: string): Promise<Lease> => {
    const after = Math.max(await lastEpoch(shard), owners.get(shard)?.epoch ?? 0);
    // Without Redis nobody numbers the terms: two that begin at once take different ones by chance.
    const epoch = await leases.nextTerm(shard, after).catch(() => after + 1 + randomInt(0, UNNUMBERED_TERMS));
    return { instance, url, token: newId(), epoch };
  };

  const take = async (shard: string, instead?: Lease): Promise<void> => {
    const lease = await newLease(shard);
    const at = performance.now();
    if (!(await leases.hold(shard, lease, instead))) return;
    if (closed) await release({ shard, lease });
    else begin(shard, lease).confirm(at);
  };

  /** Learns who owns a shard. Answers whether nobody does. */
  const learn = async (shard: string): Promise<boolean> => {
    const lease = await leases.find(shard);
    if (lease === undefined) {
      if (!freeSince.has(shard)) freeSince.set(shard, performance.now());
      owners.delete(shard);
      return true;
    }
    freeSince.delete(shard);
    if (lease.instance !== instance) {
      owners.set(shard, lease);
      failures.delete(shard);
    }
    return false;
  };

  const staying = (): Holding[] => [...held.values()].filter((holding) => !holding.leaving());

  const isOurTurn = (shard: string): boolean => {
    const since = freeSince.get(shard);
    return staying().length < share || (since !== undefined && performance.now() - since >= leaseMs);
  };

  /** Whether to act as the owner without a lease, since there is none to be had. */
  const mustAct = (shard: string): boolean => {
    const owner = owners.get(shard);
    return owner === undefined || silentMs(owner.url) >= leaseMs;
  };

  const lookNow = async (shard: string): Promise<void> => {
    let free: boolean;
    try {
      free = await learn(shard);
    } catch (err) {
      if (!mustAct(shard) || closed) return;
      logger.warn({ err, shard }, 'acting as the owner without a lease');
      const lease = await newLease(shard);
      if (!closed) begin(shard, lease);
      return;
    }
    if (free && !closed && isOurTurn(shard)) await take(shard);
  };

  /** One at a time per shard, whoever asks. */
  const look = async (shard: string): Promise<void> => {
    if (held.has(shard) || closed) return;
    const work = looking.get(shard) ?? lookNow(shard).finally(() => looking.delete(shard));
    looking.set(shard, work);
    await work;
  };

  const renew = async (holding: Holding): Promise<void> => {
    const at = performance.now();
    // Somebody acted as the owner meanwhile: to be opened again, for a later term.
    const deposed = holding.journal()?.deposed() === true;
    if (!deposed && (await leases.hold(holding.shard, holding.lease))) holding.confirm(at);
    else void leave(holding);
  };

  const beat = async (): Promise<void> => {
    const live = await leases.beat(instance);
    share = fairShare(shards.length, live);
    renewing = Promise.all([...held.values()].map(renew));
    await renewing;
  };

  const round = async (): Promise<void> => {
    await beat();
    for (const holding of staying().slice(share)) void leave(holding);
    // One after the other, so that each is counted before the next is taken.
    for (const shard of shards) await look(shard);
    options.seen(new Set([...owners.values()].map((owner) => owner.url)));
  };

  /** A lease that names our own url is that of a predecessor, which is dead: where it listened we do. */
  const inherit = async (): Promise<void> => {
    for (const shard of shards) {
      const lease = await leases.find(shard);
      if (lease?.url !== url) continue;
      await leases.leave(lease.instance);
      await take(shard, lease);
    }
  };

  const close = async (rounds?: Rounds): Promise<void> => {
    closed = true;
    await rounds?.close();
    await Promise.all([...held.values()].map(leave));
    await leases.leave(instance).catch((err: unknown) => logger.warn({ err }, 'leaving without a word'));
  };

  try {
    await inherit();
    await round();
  } catch (err) {
    logger.warn({ err }, 'leases cannot be had yet');
  }
  try {
    await Promise.all([...held.values()].map(({ opened }) => opened));
  } catch (error) {
    await close();
    throw error;
  }
  const rounds = startRounds({
    round,
    intervalMs: leaseMs / ROUNDS_PER_LEASE,
    logger,
    failed: 'not all leases could be looked after, will be repeated',
  });

  return {
    here: (shard) => {
      const holding = held.get(shard);
      return holding === undefined || holding.leaving() ? undefined : holding;
    },
    ownerUrl: (shard) => {
      const owner = owners.get(shard)?.url;
      return owner === url ? undefined : owner;
    },
    look,
    holdings: () => [...held.values()],
    health: () => (failures.size === 0 ? Promise.resolve() : Promise.reject([...failures.values()][0])),
    close: () => close(rounds),
  };
};
