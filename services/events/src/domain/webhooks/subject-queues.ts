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
};

export type SubjectQueue = {
  subject: string;
  /** Ascending; the first one is being delivered, or is the next one. */
  items: Item[];
  attempts: number;
  isFlying: boolean;
  /** Set from the first failure until the queue is empty. */
  parked?: { at: Date; waitMs: number };
};

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

  for (const { subject, sequences, attempts, nextAt, waitMs } of start) {
    const queue = {
      subject,
      items: sequences.map((sequence) => ({ sequence })),
      attempts,
      isFlying: false,
      parked: { at: nextAt, waitMs },
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

  /** The parked queue that is due for longest. */
  const findDue = (now: Date): SubjectQueue | undefined => {
    let due: SubjectQueue | undefined;
    for (const queue of parked) {
      if (queue.isFlying || queue.parked === undefined) continue;
      // A clock that was set back must not prolong the wait.
      const latest = now.getTime() + queue.parked.waitMs;
      if (queue.parked.at.getTime() > latest) queue.parked.at = new Date(latest);
      if (queue.parked.at <= now && (due?.parked === undefined || queue.parked.at < due.parked.at)) due = queue;
    }
    return due;
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

    /** The head failed after so many more attempts, and waits. */
    park: (queue: SubjectQueue, until: { at: Date; waitMs: number }, attempts = 1): void => {
      land(queue);
      queue.attempts += attempts;
      if (queue.parked === undefined) {
        for (const { sequence } of queue.items) unparked.delete(sequence);
        parkedEvents += queue.items.length;
        queue.items = queue.items.map(({ sequence }) => ({ sequence }));
        parked.add(queue);
      }
      queue.parked = until;
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

    /** Makes all parked queues due. */
    hasten: (now: Date): void => {
      for (const queue of parked) if (queue.parked !== undefined && queue.parked.at > now) queue.parked = { at: now, waitMs: 0 };
    },

    dueAt: (): Date | undefined => {
      let due: Date | undefined;
      for (const queue of parked) {
        if (!queue.isFlying && queue.parked !== undefined && (due === undefined || queue.parked.at < due)) due = queue.parked.at;
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
      })),
  };
};
