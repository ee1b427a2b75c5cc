import { randomUUID } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import { latenciesAtRate } from '../latencies-at-rate.ts';
import { residentMebibytes } from '../memory.ts';
import { processorByRoot } from '../process-times.ts';
import { percentile, type Row } from '../row.ts';
import { sized } from '../sized.ts';
import { type EventsStage, onEventsStage } from './stage.ts';

type Report = (line: string) => void;
type Partner = { partnerId: string; userId: string };

/** Connections of the floor, and deliveries at the same time to the endpoints of a throughput run. */
const CONNECTIONS = 128;

/** Partners and their endpoints for throughput and latency. */
const FEW = { partners: sized(8, 2), endpoints: 2 };

/** Partners and their endpoints of many: 20 each, of which two are dead in the end. */
const MANY = { partners: sized(500, 5), living: 18, dead: 2 };

/** The rate that is wanted, in deliveries a second, at half of which a delivery's time is measured as well as at half of the one that was reached. */
const WANTED_PER_SECOND = sized(1000, 20);

/** Deliveries that wait while the load is on: enough that the deliverer always has something to do. */
const BACKLOG = 2000;

/** Events of a request that appends. */
const BATCH = 32;

const WARM_UP_SECONDS = sized(8, 1);
const ROUND_SECONDS = sized(15, 2);

/** Callers that create and delete endpoints at the same time. */
const CALLERS = 8;

/** Time without a delivery after which everything is delivered that will be. */
const QUIET_MS = 3000;

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const loop = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CALLERS }, loop));
};

const createEndpoint = async ({ webhooks }: EventsStage, { partnerId }: Partner, url: string): Promise<string> => {
  const { endpoint } = await webhooks.createWebhookEndpoint({ requestId: randomUUID(), partnerId, url });
  return endpoint?.id ?? '';
};

const rss = ({ deliverer }: EventsStage): number => residentMebibytes(deliverer.pid() ?? 0);

/** Resolves when nothing has been delivered for a while. */
const settled = async ({ receiver }: EventsStage): Promise<void> => {
  for (let before = -1; before !== receiver.received(); ) {
    before = receiver.received();
    await pause(QUIET_MS);
  }
};

/**
 * Appends events for these partners in turn, as fast as they are delivered, for so many seconds, and until one is delivered: on a busy machine the first may take longer.
 * @param fanOut living endpoints of each partner
 * @returns deliveries a second, and processor time in microseconds per delivery by process
 */
const underLoad = async (stage: EventsStage, partners: readonly Partner[], fanOut: number, seconds: number) => {
  const { receiver, append, events, deliverer } = stage;
  const roots = new Map<number, string>([
    [process.pid, 'load generator and receiver'],
    ...stage.engines.processes().flatMap(({ pid }): [number, string][] => (pid === undefined ? [] : [[pid, 'engines']])),
    [events.pid() ?? 0, 'events'],
    [deliverer.pid() ?? 0, 'webhooks'],
  ]);
  const before = { received: receiver.received(), at: performance.now(), processor: processorByRoot(roots) };
  const end = before.at + seconds * 1000;
  let appended = 0;
  let turn = 0;
  while (performance.now() < end || receiver.received() === before.received) {
    if (appended - (receiver.received() - before.received) >= BACKLOG) {
      await pause(5);
      continue;
    }
    const size = Math.max(1, Math.min(BATCH, Math.floor(BACKLOG / 4 / fanOut)));
    const batch = Array.from({ length: size }, (_, index) => partners[(turn + index) % partners.length]?.userId ?? '');
    turn += size;
    await append(batch);
    appended += size * fanOut;
  }
  const count = receiver.received() - before.received;
  const perSecond = count / ((performance.now() - before.at) / 1000);
  const used = [...processorByRoot(roots)].map(([name, time]): [string, number] => [
    name,
    (time - (before.processor.get(name) ?? 0)) / count,
  ]);
  await settled(stage);
  return { perSecond, processor: new Map(used) };
};

/** Milliseconds from the call that appends an event until each of its deliveries is received, at a fixed rate of deliveries. */
const latencies = async (stage: EventsStage, partners: readonly Partner[], perSecond: number): Promise<number[]> => {
  const written = new Map<string, number>();
  const stop = stage.receiver.note();
  let turn = 0;
  await latenciesAtRate(
    async () => {
      const at = performance.timeOrigin + performance.now();
      turn += 1;
      for (const id of await stage.append([partners[turn % partners.length]?.userId ?? ''])) written.set(id, at);
    },
    perSecond,
    ROUND_SECONDS,
  );
  await settled(stage);
  const received = await stop();
  const missing = [...written.keys()].filter((id) => !received.has(id)).length;
  if (missing > 0) throw new Error(`${missing} of ${written.size} events were not delivered`);
  return [...written].map(([id, at]) => (received.get(id) ?? Number.NaN) - at);
};

/** Measures the deliveries to a few endpoints: throughput, beside the floor, and the time of a delivery at half of what is wanted and of what was reached. */
const benchFew = async (stage: EventsStage, report: Report): Promise<Row[]> => {
  const partners = Array.from({ length: FEW.partners }, () => stage.newPartner());
  for (const partner of partners) {
    for (let index = 0; index < FEW.endpoints; index += 1) {
      await createEndpoint(stage, partner, stage.receiver.url('living', `${partner.partnerId}/${index}`));
    }
  }
  const idle = rss(stage);
  report('warm-up');
  await underLoad(stage, partners, FEW.endpoints, WARM_UP_SECONDS);
  await stage.floorPerSecond(CONNECTIONS, WARM_UP_SECONDS / 2);
  report('the floor');
  const floorBefore = await stage.floorPerSecond(CONNECTIONS, ROUND_SECONDS / 2);
  report('deliveries as fast as they go');
  const { perSecond, processor } = await underLoad(stage, partners, FEW.endpoints, ROUND_SECONDS);
  const loaded = rss(stage);
  const floor = (floorBefore + (await stage.floorPerSecond(CONNECTIONS, ROUND_SECONDS / 2))) / 2;
  const times: Row[] = [];
  const rates = [
    { name: 'at half of what is wanted', rate: WANTED_PER_SECOND / 2 },
    { name: 'at half of what was reached', rate: perSecond / 2 },
  ];
  for (const { name, rate } of rates) {
    report(`deliveries ${name}: ${Math.round(rate)}/s`);
    const taken = await latencies(stage, partners, rate / FEW.endpoints);
    for (const share of [0.5, 0.99]) {
      times.push({ name: `written → delivered p${share * 100} ${name}`, value: percentile(taken, share), unit: 'ms' });
    }
  }
  return [
    { name: 'deliveries', value: perSecond, unit: 'deliveries/s', peer: 'floor', ratio: perSecond / floor },
    { name: 'floor', value: floor, unit: 'posts/s' },
    ...times,
    ...[...processor].map(([name, value]) => ({ name: `processor time per delivery: ${name}`, value, unit: 'µs' })),
    { name: 'resident memory of webhooks before', value: idle, unit: 'MiB' },
    { name: 'resident memory of webhooks after', value: loaded, unit: 'MiB', peer: 'before', ratio: loaded / idle },
  ];
};

/** Measures the deliveries to 9,000 living endpoints while 1,000 others are dead, beside what they get without these. */
const benchMany = async (stage: EventsStage, report: Report): Promise<Row[]> => {
  const { receiver, webhooks, newPartner } = stage;
  const partners = Array.from({ length: MANY.partners }, newPartner);
  const living = MANY.partners * MANY.living;
  report(`creating ${living} endpoints`);
  await inParallel(partners, async (partner) => {
    for (let index = 0; index < MANY.living; index += 1) {
      await createEndpoint(stage, partner, receiver.url('living', `${partner.partnerId}/${index}`));
    }
  });
  const idle = rss(stage);
  report('deliveries to living endpoints');
  await underLoad(stage, partners, MANY.living, WARM_UP_SECONDS);
  const before = await underLoad(stage, partners, MANY.living, ROUND_SECONDS);
  report(`creating ${MANY.partners * MANY.dead} dead endpoints`);
  const dead: { partnerId: string; endpointId: string }[] = [];
  await inParallel(partners, async (partner) => {
    for (const kind of ['silent', 'closed'] as const) {
      dead.push({ partnerId: partner.partnerId, endpointId: await createEndpoint(stage, partner, receiver.url(kind, partner.partnerId)) });
    }
  });
  report('deliveries beside dead endpoints');
  await underLoad(stage, partners, MANY.living, WARM_UP_SECONDS);
  const beside = await underLoad(stage, partners, MANY.living, 2 * ROUND_SECONDS);
  const loaded = rss(stage);
  report('deleting the dead endpoints');
  await inParallel(dead, async (endpoint) => {
    await webhooks.deleteWebhookEndpoint(endpoint);
  });
  report('deliveries to living endpoints');
  const after = await underLoad(stage, partners, MANY.living, ROUND_SECONDS);
  // Before and after, because the speed of a machine changes within minutes.
  const peer = (before.perSecond + after.perSecond) / 2;
  return [
    {
      name: `deliveries to ${living} endpoints beside ${MANY.partners * MANY.dead} dead ones`,
      value: beside.perSecond,
      unit: 'deliveries/s',
      peer: 'without the dead ones',
      ratio: beside.perSecond / peer,
    },
    { name: `deliveries to ${living} endpoints`, value: peer, unit: 'deliveries/s' },
    { name: `resident memory of webhooks with ${living} endpoints`, value: idle, unit: 'MiB' },
    { name: 'resident memory of webhooks after their load', value: loaded, unit: 'MiB', peer: 'before', ratio: loaded / idle },
  ];
};

/**
 * Deliveries of webhooks by real processes to a receiver on this machine: the events service, the process that delivers, engines, receiver and load generator share its
 * cores.
 */
export const benchEvents = (report: Report): Promise<Row[]> =>
  onEventsStage(report, async (stage) => [...(await benchFew(stage, report)), ...(await benchMany(stage, report))]);
