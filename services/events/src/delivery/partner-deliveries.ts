import type { Logger } from '@florin/rpc/observe';
import { areKnown } from '../domain/type-filter.ts';
import { disabling, finishing, told } from '../domain/webhooks/change-endpoints.ts';
import type { DisabledReason, Endpoint, PartnerEndpoints } from '../domain/webhooks/endpoint.ts';
import { afterEnabling, afterReplay } from '../domain/webhooks/lane.ts';
import type { ChangeEndpoints } from '../endpoints/change.ts';
import type { StoredProgress, WebhookProgressStore } from '../store/webhook-progress.ts';
import type { FeedReader, FeedSource } from './feed-source.ts';
import type { DeliveryStatus } from './measure.ts';
import type { Notify } from './notify.ts';
import { createRunner, type Runner, type RunnerParts } from './runner.ts';

type Parts = RunnerParts & {
  source: Pick<FeedSource, 'open'>;
  progress: Pick<WebhookProgressStore, 'claim' | 'remove' | 'save'>;
  change: ChangeEndpoints;
  notify: Notify;
  logger: Logger;
};

/** An endpoint of the partner; without a runner while it is disabled. */
type Held = { endpoint: Endpoint; progress: StoredProgress; runner?: Runner; isOrdering?: boolean };

/** Time between two tries to tell a contact, in milliseconds. */
const TELL_AGAIN_MS = 60_000;

/** The deliveries to the endpoints of one partner. */
export type PartnerDeliveries = {
  /** Revision of the endpoints that are being served. */
  revision: () => number;
  /** Reports whether a change is being applied. */
  isApplying: () => boolean;
  /** Serves the endpoints as they are now. Called again only after it has settled. */
  apply: (all: PartnerEndpoints) => Promise<void>;
  tick: (now: Date) => void;
  /** Adds what these deliveries are at a moment to what others are. */
  addStatus: (status: DeliveryStatus, now: Date) => void;
  /** Begins nothing more, waits for what is under way, and stores the progress. */
  stop: () => Promise<void>;
};

/** Reports whether this release delivers to an endpoint: one that names types of a later release waits for that one. */
const isServed = ({ disabled, types }: Endpoint): boolean => disabled === undefined && areKnown(types);

/** Where an endpoint is before anything was delivered. */
const initialProgress = ({ startAfter, enabled }: Endpoint): StoredProgress => ({ cursor: startAfter, parked: [], failures: 0, enabled });

/** Takes up what the owner has asked for since the progress was stored. */
const takeUp = ({ enabled, replay }: Endpoint, stored: StoredProgress): StoredProgress => {
  let progress = stored;
  if (enabled > progress.enabled) {
    const { replayId } = progress;
    progress = { ...afterEnabling(progress), enabled, ...(replayId === undefined ? {} : { replayId }) };
  }
  if (replay !== undefined && replay.id !== progress.replayId)
    progress = { ...afterReplay(progress, replay.after), enabled, replayId: replay.id };
  return progress;
};

export const createPartnerDeliveries = (parts: Parts, feed: string, term: number): PartnerDeliveries => {
  const { source, progress: store, change, notify, runtime, logger } = parts;
  const held = new Map<string, Held>();
  /** Orders that are being or were carried out, until the endpoint says so. */
  const orders = new Set<string>();
  /** When a notice may be sent again, by endpoint. */
  const telling = new Map<string, number>();
  const isDisabling = new Set<string>();
  let revision = -1;
  let reader: Promise<FeedReader> | undefined;
  let stopped = false;
  let applying: Promise<void> | undefined;

  const grown = (): void => {
    for (const { runner } of held.values()) runner?.pump();
  };

  const openReader = (): Promise<FeedReader> => {
    reader ??= source.open(feed, grown).catch((error: unknown) => {
      reader = undefined;
      throw error;
    });
    return reader;
  };

  const halt = async (one: Held): Promise<void> => {
    const { runner } = one;
    if (runner === undefined) return;
    await runner.stop();
    one.progress = runner.progress();
    delete one.runner;
    parts.journal.changed({ id: one.endpoint.id, term, progress: () => one.progress });
  };

  const start = async (one: Held): Promise<void> => {
    const { endpoint, progress } = one;
    if (!isServed(endpoint) || stopped) return;
    const opened = await openReader();
    if (stopped) return;
    one.runner = createRunner({
      ...parts,
      feed,
      endpoint,
      term,
      progress,
      reader: opened,
      disable: (reason) => void disable(one, reason, progress.enabled),
    });
    one.runner.pump();
  };

  /**
   * Disables an endpoint. Until that is decided, nothing more is sent.
   * @param enabled the count under which the deliveries were made
   */
  const disable = async (one: Held, reason: DisabledReason, enabled: number): Promise<void> => {
    const { id } = one.endpoint;
    if (isDisabling.has(id)) return;
    isDisabling.add(id);
    try {
      await halt(one);
      await change(feed, disabling(id, reason, runtime.now(), enabled));
    } catch (err) {
      logger.warn({ err, endpointId: id }, 'disabling a webhook endpoint failed, will be tried again');
    } finally {
      isDisabling.delete(id);
      // The endpoint's present state decides: it may have been enabled anew, or changed in another way.
      revision = -1;
    }
  };

  /** Carries out the orders of an endpoint, one after the other, each once. */
  const followOrders = (one: Held): void => {
    const { endpoint, runner } = one;
    const order = endpoint.orders.find(({ id, isDone }) => !isDone && !orders.has(id));
    if (runner === undefined || order === undefined || one.isOrdering === true) return;
    orders.add(order.id);
    one.isOrdering = true;
    const carryOut = async (): Promise<void> => {
      const isDone = await runner.carryOut(order);
      one.isOrdering = false;
      if (!isDone) orders.delete(order.id);
      // The next look takes up one that could not be carried out.
      else followOrders(one);
      if (isDone) await change(feed, finishing(endpoint.id, order.id));
    };
    carryOut().catch((err: unknown) => {
      orders.delete(order.id);
      logger.warn({ err, endpointId: endpoint.id }, 'finishing an order for a webhook failed, will be repeated');
    });
  };

  /** Tells the contact of an endpoint that was disabled. A mail that is not accepted is tried again after a while. */
  const followNotice = ({ endpoint }: Held): void => {
    const { id, notice } = endpoint;
    if (notice === undefined || (telling.get(id) ?? 0) > performance.now()) return;
    telling.set(id, performance.now() + TELL_AGAIN_MS);
    notify(endpoint)
      .then(() => change(feed, told(id, notice.at)))
      .catch((err: unknown) => logger.warn({ err, endpointId: id }, 'telling that a webhook endpoint was disabled failed, will retry'));
  };

  const forgetOrders = ({ endpoints }: PartnerEndpoints): void => {
    const due = new Set(endpoints.flatMap((endpoint) => endpoint.orders.filter(({ isDone }) => !isDone).map(({ id }) => id)));
    for (const id of orders) if (!due.has(id)) orders.delete(id);
    for (const { id, notice } of endpoints) if (notice === undefined) telling.delete(id);
  };

  const applyTo = async (one: Held, endpoint: Endpoint): Promise<void> => {
    one.endpoint = endpoint;
    if (isDisabling.has(endpoint.id)) return;
    const stored = one.runner?.progress() ?? one.progress;
    const isAnew = takeUp(endpoint, stored) !== stored;
    if (isAnew || !isServed(endpoint)) await halt(one);
    if (!areKnown(endpoint.types))
      logger.warn({ endpointId: endpoint.id }, 'a webhook endpoint names types of a later release and waits for it');
    if (one.runner === undefined) {
      one.progress = takeUp(endpoint, one.progress);
      if (isAnew) parts.journal.changed({ id: endpoint.id, term, progress: () => one.runner?.progress() ?? one.progress });
    }
    if (one.runner === undefined) await start(one);
    else one.runner.update(endpoint);
    followOrders(one);
  };

  const drop = async (id: string, one: Held): Promise<void> => {
    held.delete(id);
    await one.runner?.stop();
    await store.remove(id);
  };

  const apply = async (all: PartnerEndpoints): Promise<void> => {
    const fresh = all.endpoints.filter(({ id }) => !held.has(id));
    const claimed = await store.claim(term, new Map(fresh.map((endpoint) => [endpoint.id, initialProgress(endpoint)])));
    for (const endpoint of fresh) {
      const progress = claimed.get(endpoint.id);
      // Without it, a later owner of the shard has the endpoint.
      if (progress !== undefined) held.set(endpoint.id, { endpoint, progress });
    }
    const current = new Map(all.endpoints.map((endpoint) => [endpoint.id, endpoint]));
    await Promise.all(
      [...held].map(async ([id, one]) => {
        const endpoint = current.get(id);
        await (endpoint === undefined ? drop(id, one) : applyTo(one, endpoint));
      }),
    );
    forgetOrders(all);
    revision = all.revision;
  };

  return {
    revision: () => revision,
    isApplying: () => applying !== undefined,
    apply: async (all) => {
      if (stopped) return;
      applying = apply(all).finally(() => {
        applying = undefined;
      });
      await applying;
    },
    addStatus: (status, now) => {
      for (const { endpoint, runner, progress: stored } of held.values()) {
        const { disabled } = endpoint;
        const lane = runner?.status(now);
        const state = disabled === undefined ? (lane?.state ?? 'working') : disabled.reason === 'requested' ? 'disabled' : 'paused';
        status.endpoints[state] += 1;
        status.parked += lane?.parked ?? stored.parked.length;
        if (lane?.state === 'working') status.lagMs = Math.max(status.lagMs, lane.lagMs);
      }
    },
    tick: (now) => {
      for (const one of held.values()) {
        one.runner?.tick(now);
        followOrders(one);
        followNotice(one);
      }
    },
    stop: async () => {
      stopped = true;
      // A change that is being applied waits for deliveries, which end at once, and starts no others.
      await Promise.all([...held.values()].map(halt));
      await applying?.catch(() => undefined);
      await Promise.all([...held.values()].map(halt));
      (await reader?.catch(() => undefined))?.close();
      await store.save([...held].map(([id, { progress }]) => ({ id, term, progress })));
    },
  };
};
