import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { WebhookEndpointStore } from '../store/webhook-endpoints.ts';
import type { WebhookLeaseStore } from '../store/webhook-leases.ts';
import type { DeliveryJournal } from './journal.ts';
import { type LeaseTimes, startLeases } from './leases.ts';
import type { DeliveryStatus } from './measure.ts';
import { createPartnerDeliveries, type PartnerDeliveries } from './partner-deliveries.ts';

type Parts = Omit<Parameters<typeof createPartnerDeliveries>[0], 'mayBegin'> & {
  endpoints: Pick<WebhookEndpointStore, 'revisions' | 'findAll'>;
  leases: WebhookLeaseStore;
  journal: DeliveryJournal;
  times: LeaseTimes;
  logger: Logger;
};

export type Deliverer = { status: () => DeliveryStatus; close: () => Promise<void> };

/** Time between two looks at the endpoints' revisions. */
const LOOK_MS = 500;

/** Time between two looks at what is due. */
const TICK_MS = 200;

/** Partners that one query reads, and that begin at the same time. */
const BATCH = 100;

type Shard = { term: number; partners: Map<string, PartnerDeliveries> };

/** Delivers the feeds of the partners of its shards to their endpoints. Any number of deliverers share the shards. */
export const startDeliverer = async (parts: Parts): Promise<Deliverer> => {
  const { endpoints, leases: store, times, runtime, journal, logger } = parts;
  const shards = new Map<number, Shard>();
  let areValid = (): boolean => false;
  const shared = { ...parts, mayBegin: () => areValid() };

  const failedFor = (feed: string) => (err: unknown) => logger.warn({ err, feed }, 'applying changed webhook endpoints failed, will retry');

  const refresh = async (closed: () => boolean): Promise<void> => {
    const due: { feed: string; deliveries: PartnerDeliveries }[] = [];
    for (const { feed, shard, revision } of await endpoints.revisions([...shards.keys()])) {
      const own = shards.get(shard);
      if (own === undefined) continue;
      const deliveries = own.partners.get(feed) ?? createPartnerDeliveries(shared, feed, own.term);
      own.partners.set(feed, deliveries);
      // Right after an election, a revision may be read that was replaced.
      if (revision > deliveries.revision() && !deliveries.isApplying()) due.push({ feed, deliveries });
    }
    for (let from = 0; from < due.length && !closed(); from += BATCH) {
      const batch = new Map(due.slice(from, from + BATCH).map(({ feed, deliveries }) => [feed, deliveries]));
      // Not awaited: a partner whose deliveries take long, or whose endpoints cannot be served, delays no other one.
      for (const all of await endpoints.findAll([...batch.keys()])) {
        batch.get(all.feed)?.apply(all).catch(failedFor(all.feed));
      }
    }
  };

  const refreshing = startRounds({ round: refresh, intervalMs: LOOK_MS, logger, failed: 'reading webhook endpoints failed, will retry' });

  const leases = await startLeases({
    store,
    owner: runtime.newId(),
    times,
    logger,
    taken: (shard, term) => {
      shards.set(shard, { term, partners: new Map() });
      refreshing.kick();
    },
    ended: async (shard, term) => {
      const own = shards.get(shard);
      if (own === undefined || own.term !== term) return;
      shards.delete(shard);
      // All of them end, also when one fails: the shard may be taken anew as soon as this has settled.
      const ends = await Promise.allSettled([...own.partners.values()].map((deliveries) => deliveries.stop()));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  });
  ({ areValid } = leases);

  const tick = setInterval(() => {
    const now = runtime.now();
    for (const { partners } of shards.values()) for (const deliveries of partners.values()) deliveries.tick(now);
  }, TICK_MS);

  return {
    status: () => {
      const status = { shards: shards.size, endpoints: { working: 0, failing: 0, down: 0, paused: 0, disabled: 0 }, parked: 0, lagMs: 0 };
      const now = runtime.now();
      for (const { partners } of shards.values()) for (const deliveries of partners.values()) deliveries.addStatus(status, now);
      return status;
    },
    close: async () => {
      clearInterval(tick);
      await refreshing.close();
      await leases.close();
      await journal.close();
    },
  };
};
