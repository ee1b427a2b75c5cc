import type { Logger } from '@florin/rpc/observe';
import { steadyNow } from '@florin/rpc/steady-clock';
import { pause, type Rounds, startRounds } from '@florin/rpc/time';
import { InvariantError } from '../domain/apply-entry.ts';
import type { Journal, Standby } from '../journal/journal.ts';
import { endAfter, type WriterEnd } from '../journal/writer-state.ts';
import { createHolding, type Holding } from './holding.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';
import { createRestraint } from './restraint.ts';

/** Rounds per lease time: a lease outlives two that fail. */
export const ROUNDS_PER_LEASE = 3;

/** So many round intervals after the one before, a round is late: this instance gets little processor time, as the owners of other shards may. */
const LATE_ROUNDS = 2;

/** Longest time for a successor to become warm, beyond that for which the owner serves anyway. Then the owner leaves without it. */
const HANDOVER_MS = 5000;

/** An owner that has written nothing for so long, although calls wait for it, looks for a successor that can. */
const STUCK_MS = 2000;

/** Pause between two such attempts: an engine that is away or overloaded is so for all, and a shard that changes hands costs it more. */
const RELIEF_PAUSE_MS = 30_000;

/** How long a successor waits for the last block of an owner. One that is written later races with the successor's first. */
const SEAL_MS = 500;

/** Pause between two looks of an owner and its successor at what the other has said. */
const HANDOVER_POLL_MS = 20;

/** Where a successor that is warm shows the lease with which it will own the shard. */
const successionOf = (shard: string): string => `${shard}/successor`;

/** A term is chosen at random from so many when Redis cannot number it. */
const UNNUMBERED_TERMS = 1_000_000;

/** The shards of this instance, and its knowledge of the owners of the others. */
export type Keeper = {
  /** The shard, when it is this instance's; its journal may still be opening. */
  here: (shard: string) => Holding | undefined;
  /** Where the owner of the shard is reached, if it is another instance, and known. */
  owner: (shard: string) => string | undefined;
  /** Where the shard may be served: at its owner, or, when that is not known, at any of the other instances. */
  elsewhere: (shard: string) => readonly string[];
  /** Settles when a shard that this instance is the named successor for has come, or has not; undefined when it is not. */
  arriving: (shard: string) => Promise<void> | undefined;
  /**
   * Finds out at once who owns a shard, and takes it when it is free.
   * @param unserved true if every other instance denies owning it or is silent: without Redis, this one then acts
   */
  look: (shard: string, unserved: boolean) => Promise<void>;
  /** The shards that are served here. */
  holdings: () => readonly Holding[];
  /** Rejects with what keeps a shard that fell to this instance from being served. */
  health: () => Promise<void>;
  /**
   * Hands every shard over to another instance, if there is one. From then on this instance takes none, and forwards all calls.
   * @param servesMs how long it goes on serving in any case
   */
  handOver: (servesMs?: number) => Promise<void>;
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
  /** Begins to follow the journal of a shard that another instance owns. */
  standBy: (shard: string) => Standby;
  /** Highest term that has been begun in a shard; 0 without one. */
  lastEpoch: (shard: string) => Promise<number>;
  /** Told the urls of the other instances after each round. */
  seen: (urls: ReadonlySet<string>) => void;
  newId: () => string;
  randomInt: (min: number, max: number) => number;
  logger: Logger;
};

/**
 * Owns shards by leases in Redis. In rounds, several per lease time, it renews its leases, those of journals that are still opening
 * included, and takes free shards: at once while it has less than an equal part and its rounds are on time, others after the rounds of a lease time. A shard is kept until the instance ends, its lease is lost, or its term of writing is over (`writer-state.ts`): then it is closed,
 * and opened again, for a new term, by the instance that takes it next.
 *
 * An owner that stops hands its shards over (`handOver`): it stores the balances (`Journal.settle`) and names another instance in its lease. The
 * successor reads the journal into memory, and when it is warm, shows the lease of its own term. The owner then seals its journal and replaces its
 * lease by that one, in one step. From the seal on, calls wait at the successor until its term has begun. An owner that dies in the middle leaves a
 * free shard to a warm successor; a successor that dies leaves it to all others. A lease says who serves; the term alone says who writes.
 *
 * An owner that is stuck (`Journal.stuckMs`) hands its shard over in the same way, without storing the balances. It keeps it when no other instance
 * becomes warm, as while the engine is away.
 *
 * While Redis is away nothing changes hands, except that an instance acts as the owner of a shard that no other one serves: two may
 * do so at once, and the block number decides between them. The one that loses leaves the shard and forwards to the others.
 *
 * @throws InvariantError when the stored journal of a shard that fell to this instance contradicts itself
 */
export const startKeeper = async (options: KeeperOptions): Promise<Keeper> => {
  const { shards, instance, url, leaseMs, leases, lastEpoch, newId, randomInt, logger } = options;
  const held = new Map<string, Holding>();
  const owners = new Map<string, Lease>();
  /** The round in which a shard was first seen to be free. */
  const freeSince = new Map<string, number>();
  const roundMs = leaseMs / ROUNDS_PER_LEASE;
  /** The last round of renewals. */
  let renewal = { round: 0, at: performance.now(), isLate: false };
  const failures = new Map<string, unknown>();
  const restraint = createRestraint(leaseMs, randomInt);
  const leaving = new Map<Holding, Promise<void>>();
  const looking = new Map<string, Promise<void>>();
  let others: readonly string[] = [];
  let renewing: Promise<unknown> = Promise.resolve();
  let lookingAround: Promise<void> = Promise.resolve();
  /** Shards that this instance is the named successor for. */
  const standbys = new Map<string, { journal: Standby; decided: Promise<void> }>();
  /** When an owner that is stuck may look for a successor again, by shard. */
  const relief = new Map<string, number>();
  /** Takes no more shards. */
  let stopping = false;
  let closed = false;

  const release = async ({ shard, lease }: Pick<Holding, 'shard' | 'lease'>): Promise<void> => {
    await leases.release(shard, lease).catch((err: unknown) => logger.warn({ err, shard }, 'a lease was not released, it will expire'));
  };

  /** The lease that the successor shows once it is warm; undefined when it ends, or does not become so in time. */
  const offerOf = async (shard: string, successor: string, until: number): Promise<Lease | undefined> => {
    const isThere = async (): Promise<boolean> => (stopping ? await leases.leave(url) : others).includes(successor);
    while (performance.now() < until && (await isThere())) {
      const offer = await leases.find(successionOf(shard));
      if (offer?.url === successor) return offer;
      await pause(HANDOVER_POLL_MS);
    }
    logger.warn({ shard, successor }, 'the successor has not become ready');
    return undefined;
  };

  /**
   * Moves a shard to a successor that is warm. Returns false when there is none; the shard is then still held.
   * @param until when the successor has to be warm, by `performance.now`
   * @param isStuck of an owner that does not stop: it keeps the shard when it is not stuck any more
   */
  const moveTo = async (successor: string, holding: Holding, until: number, isStuck?: () => boolean): Promise<boolean> => {
    const journal = await holding.opened;
    const { shard, lease } = holding;
    try {
      if (isStuck === undefined) await journal.settle();
      holding.lease = { ...lease, successor };
      if (!(await leases.hold(shard, holding.lease, lease))) return false;
      const offer = await offerOf(shard, successor, until);
      if (offer === undefined || held.get(shard) !== holding || isStuck?.() === false) {
        const named = holding.lease;
        holding.lease = lease;
        await leases.hold(shard, lease, named);
        return false;
      }
      // Calls go to the successor from here on, and wait there.
      held.delete(shard);
      owners.set(shard, offer);
      await Promise.race([journal.seal(), pause(SEAL_MS)]);
      await leases.hold(shard, offer, holding.lease);
      logger.info({ shard, successor, epoch: offer.epoch }, 'handed a shard over');
      return true;
    } finally {
      if (isStuck === undefined && held.get(shard) === holding && !holding.leaving()) journal.resume();
    }
  };

  const leaveNow = async (holding: Holding): Promise<void> => {
    const { shard } = holding;
    logger.info({ shard }, 'leaving a shard');
    await holding.close().catch((err: unknown) => logger.warn({ err, shard }, 'closing a shard failed'));
    if (held.get(shard) === holding) held.delete(shard);
    await renewing.catch(() => undefined);
    await release(holding);
  };

  /** Closes a shard. Its lease is renewed until everything is stored, and only then released. */
  const leave = (holding: Holding): Promise<void> => {
    const work = leaving.get(holding) ?? leaveNow(holding).finally(() => leaving.delete(holding));
    leaving.set(holding, work);
    return work;
  };

  /** Follows a holding to its end, and looks for the shard again. */
  const follow = async (holding: Holding): Promise<void> => {
    const { shard } = holding;
    let end: WriterEnd | undefined;
    try {
      const journal = await holding.opened;
      failures.delete(shard);
      end = await journal.ended;
      if (end === 'skewed' || end === 'broken') failures.set(shard, new Error(`the journal of shard ${shard} is ${end}`));
    } catch (err) {
      logger.error({ err, shard }, 'a shard cannot be opened');
      failures.set(shard, err);
      end = endAfter(err);
    }
    if (end === 'skewed' || end === 'broken') restraint.failed(shard);
    const pauseMs = end === 'lost' ? restraint.lost(shard) : end === undefined ? restraint.missed(shard) : 0;
    await leave(holding);
    await pause(pauseMs);
    await look(shard, false);
  };

  const begin = (shard: string, lease: Lease): Holding => {
    const standby = standbys.get(shard);
    standbys.delete(shard);
    // It came from an owner that may have been stuck: the two do not hand it to and fro.
    if (standby !== undefined) relief.set(shard, performance.now() + RELIEF_PAUSE_MS);
    const open = standby === undefined ? options.open : (_shard: string, epoch: number) => standby.journal.begin(epoch);
    const holding = createHolding({ shard, lease, leaseMs, open });
    held.set(shard, holding);
    owners.delete(shard);
    freeSince.delete(shard);
    logger.info({ shard, epoch: lease.epoch }, 'owning a shard');
    follow(holding).catch((err: unknown) => logger.warn({ err, shard }, 'looking up the owner of a shard failed, will retry'));
    return holding;
  };

  const newLease = async (shard: string): Promise<Lease> => {
    const after = Math.max(await lastEpoch(shard), owners.get(shard)?.epoch ?? 0);
    // Without Redis, terms are random; of two instances with the same term, the later does not open.
    const epoch = await leases.nextTerm(shard, after).catch(() => after + 1 + randomInt(0, UNNUMBERED_TERMS));
    return { instance, url, token: newId(), epoch };
  };

  const take = async (shard: string, instead?: Lease): Promise<void> => {
    const lease = await newLease(shard);
    const at = steadyNow();
    if (!(await leases.hold(shard, lease, instead))) return;
    if (stopping) await release({ shard, lease });
    else begin(shard, lease).confirm(at);
  };

  const staying = (): Holding[] => [...held.values()].filter((holding) => !holding.leaving());
  const isLate = (at: number): boolean => performance.now() - at > LATE_ROUNDS * roundMs;
  const isOurTurn = (shard: string): boolean => {
    if (!restraint.mayTake(shard)) return false;
    if (renewal.round - (freeSince.get(shard) ?? renewal.round) >= ROUNDS_PER_LEASE) return true;
    // One that was late itself leaves an owner that may have been the time for a renewal.
    return !renewal.isLate && !isLate(renewal.at) && staying().length < shards.length / (others.length + 1);
  };

  /** Follows a shard, and takes it when its owner has handed it over, or is gone. */
  const succeed = async (shard: string, journal: Standby): Promise<void> => {
    await journal.warm;
    const lease = await newLease(shard);
    const until = performance.now() + HANDOVER_MS;
    while (performance.now() < until && !held.has(shard) && !stopping) {
      const at = steadyNow();
      const found = await leases.find(shard);
      if (found?.token === lease.token || (found === undefined && (await leases.hold(shard, lease)))) {
        begin(shard, lease).confirm(at);
        await leases.release(successionOf(shard), lease);
        return;
      }
      if (found?.successor !== url) return;
      await leases.hold(successionOf(shard), lease);
      await pause(HANDOVER_POLL_MS);
    }
  };

  const standBy = (shard: string): void => {
    if (standbys.has(shard)) return;
    logger.info({ shard }, 'following a shard as its successor');
    const journal = options.standBy(shard);
    const decided = succeed(shard, journal)
      .catch((err: unknown) => logger.warn({ err, shard }, 'following a shard as its successor failed'))
      .finally(() => {
        if (standbys.get(shard)?.journal !== journal) return;
        standbys.delete(shard);
        void journal.close();
      });
    standbys.set(shard, { journal, decided });
  };

  /** Takes the shard when it is free, or learns who owns it. */
  const lookUp = async (shard: string): Promise<void> => {
    const lease = await leases.find(shard);
    if (lease === undefined) {
      if (!freeSince.has(shard)) freeSince.set(shard, renewal.round);
      // Its owner has ended, or will announce itself again.
      others = others.filter((other) => other !== owners.get(shard)?.url);
      owners.delete(shard);
      if (!stopping && isOurTurn(shard)) await take(shard);
      return;
    }
    freeSince.delete(shard);
    if (lease.instance === instance) return;
    owners.set(shard, lease);
    failures.delete(shard);
    if (lease.successor === url && !stopping) standBy(shard);
  };

  const lookNow = async (shard: string, unserved: boolean): Promise<void> => {
    try {
      await lookUp(shard);
    } catch (err) {
      if (!unserved || stopping || !restraint.mayAct(shard)) return;
      logger.warn({ err, shard }, 'acting as the owner without a lease');
      const lease = await newLease(shard);
      if (!stopping) begin(shard, lease);
    }
  };

  /** One look at a time per shard. */
  const look = async (shard: string, unserved: boolean): Promise<void> => {
    if (held.has(shard) || closed) return;
    const work = looking.get(shard) ?? lookNow(shard, unserved).finally(() => looking.delete(shard));
    looking.set(shard, work);
    await work;
  };

  const renew = async (holding: Holding): Promise<void> => {
    const at = steadyNow();
    if (await leases.hold(holding.shard, holding.lease)) holding.confirm(at);
    else void leave(holding);
  };

  /** Instances, those with the fewest shards first. */
  const byLoad = (urls: readonly string[]): string[] => {
    const owned = [...owners.values()].map((owner) => owner.url);
    const load = (one: string): number => owned.filter((owner) => owner === one).length;
    return urls.toSorted((a, b) => load(a) - load(b));
  };

  /** Hands a shard over that is stuck here. */
  const relieve = async (holding: Holding): Promise<void> => {
    const { shard } = holding;
    const isStuck = (): boolean => (holding.journal()?.stuckMs() ?? 0) >= STUCK_MS;
    const [successor] = byLoad(others);
    if (stopping || successor === undefined || !isStuck() || performance.now() < (relief.get(shard) ?? 0)) return;
    relief.set(shard, performance.now() + RELIEF_PAUSE_MS);
    logger.warn({ shard, successor }, 'a shard is stuck, looking for a successor');
    if (await moveTo(successor, holding, performance.now() + HANDOVER_MS, isStuck)) restraint.failed(shard);
  };

  const lookAround = async (): Promise<void> => {
    for (const shard of shards) await look(shard, false);
  };

  const renewAll = async (): Promise<void> => {
    renewal = { round: renewal.round + 1, at: performance.now(), isLate: isLate(renewal.at) };
    renewing = Promise.all([...held.values()].map(renew));
    await renewing;
  };

  const round = async (): Promise<void> => {
    // One that stops announces itself no more, so that nobody names it as a successor.
    if (!stopping) others = (await leases.beat(url)).filter((other) => other !== url);
    for (const holding of staying()) {
      relieve(holding).catch((err: unknown) => logger.warn({ err, shard: holding.shard }, 'a shard was not handed over'));
    }
    lookingAround = lookAround();
    await Promise.race([lookingAround, pause(roundMs)]);
    options.seen(new Set([...others, ...[...owners.values()].map((owner) => owner.url)]));
  };

  /** Takes over from a predecessor at the same url, which is dead: this instance listens there now. */
  const inherit = async (): Promise<void> => {
    for (const shard of shards) {
      const lease = await leases.find(shard);
      if (lease?.url === url) await take(shard, lease);
    }
  };

  let handing: Promise<void> | undefined;
  const handOverNow = async (servesMs: number): Promise<void> => {
    stopping = true;
    const until = performance.now() + servesMs + HANDOVER_MS;
    const left = await leases.leave(url).catch((err: unknown) => {
      logger.warn({ err }, 'deregistering this instance failed');
      return [];
    });
    const order = byLoad(left);
    const move = async (holding: Holding, index: number): Promise<void> => {
      const successor = order[index % order.length];
      if (successor === undefined) return;
      await moveTo(successor, holding, until).catch((err: unknown) =>
        logger.warn({ err, shard: holding.shard }, 'a shard was not handed over'),
      );
    };
    await Promise.all(staying().map(move));
  };
  const handOver = (servesMs = 0): Promise<void> => {
    handing ??= handOverNow(servesMs);
    return handing;
  };

  const close = async (...rounds: Rounds[]): Promise<void> => {
    await handOver();
    closed = true;
    await Promise.all(rounds.map((one) => one.close()));
    await Promise.all([...held.values()].map(leave));
    await Promise.all([...leaving.values(), ...[...standbys.values()].map(({ journal }) => journal.close())]);
  };

  const first = Promise.withResolvers<void>();
  // By themselves: no lease runs out while the others are asked for, or the engine about a shard that is taken.
  const renewals = startRounds({ round: renewAll, intervalMs: roundMs, logger, failed: 'leases were not renewed, retrying' });
  const rounds = startRounds({
    round: () => round().finally(first.resolve),
    intervalMs: roundMs,
    logger,
    failed: 'a round of leases failed, retrying',
  });
  await inherit().catch((err: unknown) => logger.warn({ err }, 'Redis is unavailable, leases cannot be taken yet'));
  await first.promise.then(() => lookingAround);
  const [problem] = (await Promise.allSettled([...held.values()].map(({ opened }) => opened))).flatMap((one) =>
    one.status === 'rejected' && one.reason instanceof InvariantError ? [one.reason] : [],
  );
  if (problem !== undefined) {
    await close(rounds, renewals);
    throw problem;
  }

  return {
    here: (shard) => {
      const holding = held.get(shard);
      return holding === undefined || holding.leaving() ? undefined : holding;
    },
    owner: (shard) => owners.get(shard)?.url,
    elsewhere: (shard) => {
      const owner = owners.get(shard)?.url;
      return (owner === undefined ? others : [owner, ...others]).filter((one, index, all) => one !== url && all.indexOf(one) === index);
    },
    arriving: (shard) => standbys.get(shard)?.decided,
    look,
    holdings: staying,
    health: () => (failures.size === 0 ? Promise.resolve() : Promise.reject([...failures.values()][0])),
    handOver,
    close: () => close(rounds, renewals),
  };
};
