import type { Checkpoint, Event } from '@florin/proto/events/v1/event';

/**
 * A reader that proves by what it receives alone that nothing is missing: every event names the one before it that its filter lets through, and a checkpoint
 * names the last one.
 */
export const createReader = () => {
  const received: Event[] = [];
  let last = 0n;
  const subjects = new Map<string, bigint>();
  return {
    received,
    /** @throws Error when something is missing, doubled or out of order */
    take: (events: readonly Event[]): void => {
      for (const event of events) {
        if (event.previousSequence !== last) throw new Error(`an event between ${last} and ${event.sequence} is missing`);
        if (event.sequence <= last) throw new Error(`the event ${event.sequence} came after ${last}`);
        last = event.sequence;
        const before = subjects.get(event.subject) ?? 0n;
        if (event.subjectSequence <= before)
          throw new Error(`the change ${event.subjectSequence} of ${event.subject} came after ${before}`);
        subjects.set(event.subject, event.subjectSequence);
        received.push(event);
      }
    },
    /** Reports whether everything up to the checkpoint was received. */
    isComplete: (checkpoint: Checkpoint | undefined): boolean => checkpoint?.previousSequence === last,
  };
};
