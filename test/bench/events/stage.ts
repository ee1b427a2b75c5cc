import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { pause } from '@florin/rpc/time';
import { type EventsProcesses, openEventsProcesses } from '../../support/events-processes.ts';
import { ROOT } from '../../support/settings.ts';
import type { FloorOrder } from './floor.ts';
import type { ReceiverMessage } from './receiver.ts';

/** A process that receives deliveries, as the bench sees it. */
export type BenchReceiver = {
  /** URL of an endpoint: one that works, one that never answers, one where nobody listens. */
  url: (kind: 'living' | 'silent' | 'closed', path: string) => string;
  /** Deliveries that were received so far. */
  received: () => number;
  /** Notes when which event is received by the last endpoint, until the returned function is called, which returns the times by id. */
  note: () => () => Promise<Map<string, number>>;
};

export type EventsStage = EventsProcesses & {
  receiver: BenchReceiver;
  /** Appends an event of a card for each of these users, as one request. @returns ids of the events */
  append: (userIds: readonly string[]) => Promise<string[]>;
  /** A user of a new partner. */
  newPartner: () => { partnerId: string; userId: string };
  /** Signed posts a second of the floor to the receiver. */
  floorPerSecond: (connections: number, seconds: number) => Promise<number>;
};

/** The receiver's messages are so far apart. */
const LAST_MESSAGE_MS = 100;

/** Cards of a user: subjects that are delivered at the same time. */
const CARDS = 64;

const startReceiver = async (): Promise<BenchReceiver & { child: ChildProcess }> => {
  const child = fork(join(ROOT, 'test/bench/events/receiver.ts'));
  const [first] = (await once(child, 'message')) as [ReceiverMessage];
  if (!('ports' in first)) throw new Error('the receiver did not name its ports');
  let count = 0;
  let times = new Map<string, number>();
  child.on('message', (message: ReceiverMessage) => {
    if (!('received' in message)) return;
    count = message.received;
    for (const [id, at] of message.noted) times.set(id, at);
  });
  return {
    child,
    url: (kind, path) => `http://127.0.0.1:${first.ports[kind]}/${path}`,
    received: () => count,
    note: () => {
      times = new Map();
      child.send({ notes: true });
      return async () => {
        await pause(LAST_MESSAGE_MS);
        child.send({ notes: false });
        return times;
      };
    },
  };
};

/** Size and shape of what is delivered: what an authorization says. */
const dataOf = (userId: string, cardId: string): string =>
  JSON.stringify({ paymentId: cardId, cardId, accountId: userId, userId, status: 'pending' });

const createAppend = ({ feed }: EventsProcesses): EventsStage['append'] => {
  const cards = new Map<string, { id: string; changes: number }[]>();
  let turn = 0;
  return async (userIds) => {
    const events = userIds.map((userId) => {
      const own = cards.get(userId) ?? Array.from({ length: CARDS }, () => ({ id: randomUUID(), changes: 0 }));
      cards.set(userId, own);
      turn += 1;
      const card = own[turn % CARDS] ?? { id: randomUUID(), changes: 0 };
      card.changes += 1;
      return {
        id: randomUUID(),
        type: 'payment.authorized',
        timestamp: timestampFromDate(new Date()),
        subjectId: card.id,
        subjectSequence: BigInt(card.changes),
        dataJson: dataOf(userId, card.id),
      };
    });
    await feed.appendEvents({ events });
    return events.map(({ id }) => id);
  };
};

/** Runs a measurement on new processes. */
export const onEventsStage = async <T>(report: (line: string) => void, measure: (stage: EventsStage) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-events-'));
  const processes = await openEventsProcesses(dataDir, report);
  const receiver = await startReceiver();
  const floor = fork(join(ROOT, 'test/bench/events/floor.ts'));
  let partners = 0;
  try {
    return await measure({
      ...processes,
      receiver,
      append: createAppend(processes),
      newPartner: () => {
        partners += 1;
        const [partnerId, userId] = [`partner-${partners}`, randomUUID()];
        processes.partners.set(userId, partnerId);
        return { partnerId, userId };
      },
      floorPerSecond: async (connections, seconds) => {
        const body = JSON.stringify({ id: randomUUID(), type: 'payment.authorized', data: dataOf(randomUUID(), randomUUID()) });
        floor.send({ url: receiver.url('living', 'floor'), body, connections, seconds } satisfies FloorOrder);
        const [{ perSecond }] = (await once(floor, 'message')) as [{ perSecond: number }];
        return perSecond;
      },
    });
  } finally {
    floor.kill();
    receiver.child.kill();
    await processes.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};
