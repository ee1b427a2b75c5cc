import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { DisabledReason, Endpoint } from '../domain/webhooks/endpoint.ts';
import { createLane, type Job, type LaneStatus, type Outcome } from '../domain/webhooks/lane.ts';
import { type Message, messageOf } from '../domain/webhooks/message.ts';
import type { Attempt } from '../store/webhook-attempts.ts';
import type { StoredProgress } from '../store/webhook-progress.ts';
import type { FeedReader } from './feed-source.ts';
import { createIntake } from './intake.ts';
import type { DeliveryJournal, Tracked } from './journal.ts';
import type { MeasureAttempts } from './measure.ts';
import { isSuccess, type Sent } from './send.ts';
import { createSideDeliveries } from './side-deliveries.ts';
import type { Slot, Slots } from './slots.ts';

const GONE = 410;

/** The parts that all runners share. */
export type RunnerParts = {
  /** Prepares a request to an endpoint, with the secrets that it has now. Rejects when this side cannot. @returns a function that sends it */
  prepare: (endpoint: Endpoint, message: Message) => Promise<() => Promise<Sent>>;
  slots: Slots;
  journal: Pick<DeliveryJournal, 'changed' | 'attempted' | 'isFull'>;
  /** Reports whether deliveries may begin now. */
  mayBegin: () => boolean;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Pick<Logger, 'warn'>;
  /** Time between two checkpoints of an endpoint, in milliseconds. */
  checkpointMs: number;
  /** Milliseconds that have passed since some moment, whatever the clock says. */
  stopwatch: () => number;
  measure: MeasureAttempts;
};

type Options = RunnerParts & {
  /** Feed of the partner. */
  feed: string;
  endpoint: Endpoint;
  term: number;
  progress: StoredProgress;
  reader: FeedReader;
  /** The endpoint must be disabled: called again with each further failure. */
  disable: (reason: DisabledReason) => void;
};

/** The deliveries to one endpoint that is enabled. */
export type Runner = Tracked & {
  /** Begins what can begin. */
  pump: () => void;
  /** Begins what is due without a new event. */
  tick: (now: Date) => void;
  /** Goes on with changed settings. */
  update: (endpoint: Endpoint) => void;
  /** Delivers an event again, or a test event, with one attempt. @returns false if this side could not */
  carryOut: (order: { id: string; sequence: number }) => Promise<boolean>;
  status: (now: Date) => LaneStatus;
  /** Begins nothing more, and resolves when nothing is under way. */
  stop: () => Promise<void>;
};

/** The consequence of an attempt for its event. */
const outcomeOf = (sent: Sent): Outcome => (isSuccess(sent) ? { kind: 'delivered' } : { kind: 'failed', retryAfterMs: sent.retryAfterMs });

export const createRunner = (options: Options): Runner => {
  const { feed, term, reader, prepare, slots, journal, mayBegin, runtime, logger, disable, stopwatch, measure } = options;
  const { id } = options.endpoint;
  const { enabled, replayId } = options.progress;
  const lane = createLane(options.progress);
  let { endpoint } = options;
  let stopped = false;
  const underWay = new Set<Promise<unknown>>();
  /** True if the last delivery failed on this side. */
  let isPostponing = false;
  let passedAt = stopwatch();

  const tracked: Tracked = {
    id,
    term,
    progress: () => ({ ...lane.progress(), enabled, ...(replayId === undefined ? {} : { replayId }) }),
  };

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work)).catch(() => undefined);
    return work;
  };

  const log = ({ id: eventId, type: eventType, sequence }: Message, number: number, at: Date, sent: Sent): void => {
    const { status, failure, answer, durationMs } = sent;
    const attempt: Attempt = {
      id: runtime.newId(),
      endpointId: id,
      eventId,
      eventType,
      sequence,
      number,
      at,
      durationMs,
      status,
      failure,
      answer,
    };
    journal.attempted(attempt);
  };

  /** Sends a message once and logs it. Rejects when this side cannot, or may not any more. */
  const attempt = async (message: Message, number: number): Promise<Sent> => {
    const send = await prepare(endpoint, message);
    // The event, a secret or a key may have been read for so long that somebody else has the shard by now.
    if (!mayBegin()) throw new Error('the leases are not valid any more');
    const at = runtime.now();
    const sent = await send();
    measure.attempted(sent);
    log(message, number, at, sent);
    return sent;
  };

  const notePostponed = (err: unknown): void => {
    if (stopped || !mayBegin()) return;
    measure.postponed();
    if (!isPostponing) logger.warn({ err, endpointId: id }, 'a delivery cannot be made, will retry');
    isPostponing = true;
  };

  /** Tells the lane what has passed since the last call. */
  const passTime = (): void => {
    const at = stopwatch();
    lane.pass(at - passedAt);
    passedAt = at;
  };

  const fly = async (job: Job): Promise<void> => {
    let outcome: Outcome;
    try {
      const event = job.event ?? (await reader.event(job.sequence, intake.filter()));
      if (event === undefined) {
        logger.warn({ endpointId: id, sequence: job.sequence }, 'an event is not kept any more and cannot be delivered');
        outcome = { kind: 'skipped' };
      } else {
        const sent = await attempt(messageOf(event, endpoint), job.attempt);
        outcome = outcomeOf(sent);
        if (sent.status === GONE) disable('gone');
      }
    } catch (err) {
      // The database or a key is away, or the leases are not valid: nothing was sent, and nothing of it counts against the receiver.
      outcome = { kind: 'postponed' };
      notePostponed(err);
    }
    if (outcome.kind !== 'postponed') isPostponing = false;
    passTime();
    lane.settle(job, outcome, runtime.now(), Math.random());
    if (lane.isFailing()) disable('failing');
    journal.changed(tracked);
  };

  const intake = createIntake({
    endpointId: id,
    types: endpoint.types,
    lane,
    reader,
    reading: (read) => void track(read).then(pump, notePostponed),
    logger,
  });

  const mayGoOn = (): boolean => !stopped && mayBegin() && !journal.isFull();

  /** Begins the next delivery in a slot, or returns the slot. */
  const launch = (slot: Slot): boolean => {
    const job = mayGoOn() && slot.isDoubtful === lane.isDoubtful() ? lane.next(runtime.now()) : undefined;
    if (job === undefined) {
      slot.release();
      return false;
    }
    void track(fly(job)).finally(() => {
      slot.release();
      pump();
    });
    return true;
  };

  const granted = (slot: Slot): void => {
    launch(slot);
    pump();
  };

  const begin = (): boolean => {
    if (!lane.hasNext(runtime.now())) return false;
    const slot = slots.take({ partner: feed, isDoubtful: lane.isDoubtful() }, granted);
    return slot !== undefined && launch(slot);
  };

  const pump = (): void => {
    if (stopped) return;
    intake.fill();
    while (mayGoOn() && begin()) intake.fill();
  };

  const beside = createSideDeliveries({
    ...{ feed, endpoint: () => endpoint, slots, lane, reader, attempt, runtime },
    checkpointMs: options.checkpointMs,
    filter: () => intake.filter(),
    isStopped: () => stopped,
  });

  return {
    ...tracked,
    pump,
    tick: (now) => {
      if (stopped) return;
      passTime();
      const due = lane.dueAt();
      // One that is far in the future may be the clock's fault: the lane decides.
      if (due !== undefined || !lane.isIdle() || lane.readTo() < reader.head().last) pump();
      if (beside.checkpointIsDue(now) && mayBegin()) void track(beside.sendCheckpoint(now)).catch(() => undefined);
    },
    update: (changed) => {
      endpoint = changed;
      intake.update(endpoint.types);
      pump();
    },
    carryOut: (order) => track(stopped || !mayBegin() ? Promise.resolve(false) : beside.carryOut(order, notePostponed)),
    status: lane.status,
    stop: async () => {
      stopped = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
};
