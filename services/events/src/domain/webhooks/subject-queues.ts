import type { PlacedEvent } from '../feed-block.ts';

/** An event that waits. Of a parked one, only its sequence is kept. */
export type Item = { sequence: number; event?: PlacedEvent };

/** A subject of which an event failed, as it is stored. */
export type ParkedSubject = {
  subject: string;
  /** The event that failed, and those after it, ascending. */
  sequences: number[];
  /** Attempts to deliver the first one. */
  attempts: number;
  nextAt: Date;
  /** Length of the wait that ends then, in milliseconds. */
  waitMs: number;
  /** When it is tried beside the schedule, since the receiver is back. */
  earlyAt?: Date;
};

/** The event that a parked subject waits for. */
type Wait = {
  at: Date;
  waitMs: number;
  earlyAt?: Date;
  /** When it was last tried beside the schedule. */
  triedAt?: Date;
};

export type SubjectQueue = {
  subject: string;
  /** Ascending; the first one is being delivered, or is the next one. */
  items: Item[];
  attempts: number;
  isFlying: boolean;
  /** Set from the first failure until the queue is empty. */
  parked?: Wait;
};

/** Wait after a delivery that could not be made, in milliseconds. */
const POSTPONED_MS = 1000;

/** Least time between two tries of an event beside the schedule, in milliseconds: a receiver that rejects it, and takes others, is not asked all the time. */
const EARLY_PAUSE_MS = 60_000;

/** The events of an endpoint that wait, by subject. */
export const createSubjectQueues = (start: readonly ParkedSubject[]) => {
  const queues = new Map<string, SubjectQueue>();
  const parked = new Set<SubjectQueue>();
  /** Queues that are neither parked nor flying, in the order in which they became so. */
  const ready = new Set<SubjectQueue>();
  const flying = new Map<number, SubjectQueue>();
  /** Times of the events that are not in a parked queue, by their sequences. They are added ascending, so the first one is the lowest. */
  const unparked = new Map<number, Date>();
  let parkedEvents = 0;

  for (const { subject, sequences, attempts, nextAt, waitMs, earlyAt } of start) {
    const queue = {
      subject,
      items: sequences.map((sequence) => ({ sequence })),
      attempts,
      isFlying: false,
      parked: { at: nextAt, waitMs, ...(earlyAt === undefined ? {} : { earlyAt }) },
    };
    queues.set(subject, queue);
    parked.add(queue);
    parkedEvents += sequences.length;
  }

  const take = (queue: SubjectQueue): SubjectQueue => {
    const [head] = queue.items;
    if (head === undefined) throw new Error('a queue without events was kept');
    ready.delete(queue);
    queue.isFlying = true;
    flying.set(head.sequence, queue);
    return queue;
  };

  const land = (queue: SubjectQueue): void => {
    queue.isFlying = false;
    flying.delete(queue.items[0]?.sequence ?? 0);
  };

  const addTo = (queue: SubjectQueue, event: PlacedEvent): void => {
    const last = queue.items.at(-1)?.sequence ?? 0;
    // Of a parked subject, what is before its end was settled or is in it: the feed is read again from an earlier place after a restart.
    if (event.sequence <= last) return;
    if (queue.parked === undefined) {
      queue.items.push({ sequence: event.sequence, event });
      unparked.set(event.sequence, event.at);
    } else {
      queue.items.push({ sequence: event.sequence });
      parkedEvents += 1;
    }
  };

  /** A clock that was set back must not prolong a wait. */
  const unprolonged = (at: Date, waitMs: number, now: Date): Date =>
    at.getTime() > now.getTime() + waitMs ? new Date(now.getTime() + waitMs) : at;

  const timeOf = ({ at, earlyAt }: Wait): Date => (earlyAt !== undefined && earlyAt < at ? earlyAt : at);

  /** The parked queue that is due for longest. */
  const findDue = (now: Date): SubjectQueue | undefined => {
    let due: { queue: SubjectQueue; at: Date } | undefined;
    for (const queue of parked) {
      const wait = queue.parked;
      if (queue.isFlying || wait === undefined) continue;
      wait.at = unprolonged(wait.at, wait.waitMs, now);
      if (wait.earlyAt !== undefined) wait.earlyAt = unprolonged(wait.earlyAt, EARLY_PAUSE_MS, now);
      const at = timeOf(wait);
      if (at <= now && (due === undefined || at < due.at)) due = { queue, at };
    }
    return due?.queue;
  };

  const hasten = (wait: Wait, now: Date): void => {
    if (wait.at <= now || wait.earlyAt !== undefined) return;
    const soonest = wait.triedAt === undefined ? now : new Date(wait.triedAt.getTime() + EARLY_PAUSE_MS);
    wait.earlyAt = soonest > now ? unprolonged(soonest, EARLY_PAUSE_MS, now) : now;
  };

  const park = (queue: SubjectQueue, wait: Wait): void => {
    land(queue);
    if (queue.parked === undefined) {
      for (const { sequence } of queue.items) unparked.delete(sequence);
      parkedEvents += queue.items.length;
      queue.items = queue.items.map(({ sequence }) => ({ sequence }));
      parked.add(queue);
    }
    queue.parked = wait;
  };

  return {
    findDue,
    hasReady: (): boolean => ready.size > 0,

    add: (event: PlacedEvent): void => {
      const found = queues.get(event.subject);
      if (found !== undefined) {
        addTo(found, event);
        return;
      }
      const queue: SubjectQueue = { subject: event.subject, items: [], attempts: 0, isFlying: false };
      queues.set(event.subject, queue);
      ready.add(queue);
      addTo(queue, event);
    },

    takeDue: (now: Date): SubjectQueue | undefined => {
      const due = findDue(now);
      return due === undefined ? undefined : take(due);
    },

    takeReady: (): SubjectQueue | undefined => {
      const [queue] = ready;
      return queue === undefined ? undefined : take(queue);
    },

    /** @throws Error when no delivery of this event is under way */
    flyingOf: (sequence: number): SubjectQueue => {
      const queue = flying.get(sequence);
      if (queue === undefined) throw new Error(`no delivery of the event ${sequence} is under way`);
      return queue;
    },

    /** The head failed, and waits for its next attempt. */
    park: (queue: SubjectQueue, wait: { at: Date; waitMs: number }): void => {
      queue.attempts += 1;
      park(queue, wait);
    },

    /** Nothing of the head was sent: it is tried again in a moment. */
    postpone: (queue: SubjectQueue, now: Date): void => {
      const at = new Date(now.getTime() + POSTPONED_MS);
      const wait = queue.parked;
      const isEarly = wait?.earlyAt !== undefined && wait.at > now;
      park(queue, isEarly ? { ...wait, earlyAt: at } : { at, waitMs: POSTPONED_MS });
    },

    /** The head failed. @returns whether it was tried before its time: it then waits for that as if it had not been */
    hasFailedEarly: (queue: SubjectQueue, now: Date): boolean => {
      const wait = queue.parked;
      if (wait?.earlyAt === undefined || wait.at <= now) return false;
      park(queue, { at: wait.at, waitMs: wait.waitMs, triedAt: now });
      return true;
    },

    /** The head is settled, and the next one is due. */
    advance: (queue: SubjectQueue): void => {
      land(queue);
      const head = queue.items.shift();
      queue.attempts = 0;
      if (queue.parked === undefined) unparked.delete(head?.sequence ?? 0);
      else {
        parkedEvents -= 1;
        queue.parked = { at: new Date(0), waitMs: 0 };
      }
      if (queue.items.length === 0) {
        queues.delete(queue.subject);
        parked.delete(queue);
      } else if (queue.parked === undefined) ready.add(queue);
    },

    /** Makes all parked queues due beside their schedules. */
    hasten: (now: Date): void => {
      for (const { parked: wait } of parked) if (wait !== undefined) hasten(wait, now);
    },

    /** Makes the parked queue due that would be the first one by its schedule. */
    hastenFirst: (now: Date): void => {
      let first: Wait | undefined;
      for (const { parked: wait } of parked) if (wait !== undefined && (first === undefined || wait.at < first.at)) first = wait;
      if (first !== undefined) hasten(first, now);
    },

    dueAt: (): Date | undefined => {
      let due: Date | undefined;
      for (const { isFlying, parked: wait } of parked) {
        if (!isFlying && wait !== undefined && (due === undefined || timeOf(wait) < due)) due = timeOf(wait);
      }
      return due;
    },

    ready: (): number => unparked.size,
    parked: (): number => parked.size,
    parkedEvents: (): number => parkedEvents,
    isEmpty: (): boolean => queues.size === 0,
    lowestUnparked: (): number | undefined => unparked.keys().next().value,
    oldestUnparkedAt: (): Date | undefined => unparked.values().next().value,

    snapshot: (): ParkedSubject[] =>
      [...parked].map(({ subject, items, attempts, parked: until }) => ({
        subject,
        sequences: items.map(({ sequence }) => sequence),
        attempts,
        nextAt: until?.at ?? new Date(0),
        waitMs: until?.waitMs ?? 0,
        ...(until?.earlyAt === undefined ? {} : { earlyAt: until.earlyAt }),
      })),
  };
};
