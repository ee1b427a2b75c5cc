import type { Runtime } from '@florin/rpc/runtime';
import { lastThrough, type TypeFilter } from '../domain/feed-block.ts';
import type { Endpoint } from '../domain/webhooks/endpoint.ts';
import type { Lane } from '../domain/webhooks/lane.ts';
import { checkpointMessage, type Message, messageOf, testMessage } from '../domain/webhooks/message.ts';
import type { FeedReader } from './feed-source.ts';
import { isSuccess, type Sent } from './send.ts';
import type { Slot, Slots } from './slots.ts';

type Options = {
  /** Feed of the partner. */
  feed: string;
  /** The endpoint with the settings that it has now. */
  endpoint: () => Endpoint;
  slots: Slots;
  lane: Lane;
  reader: FeedReader;
  filter: () => TypeFilter;
  /** Sends a message once and logs it. Rejects when this side cannot. */
  attempt: (message: Message, number: number) => Promise<Sent>;
  isStopped: () => boolean;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Time between two checkpoints, in milliseconds. */
  checkpointMs: number;
};

/** Messages to an endpoint beside the events of its feed: tests that its owner orders, and checkpoints. */
export const createSideDeliveries = ({ endpoint, lane, reader, filter, attempt, runtime, ...options }: Options) => {
  let checkpoint = { at: runtime.now(), sequence: lane.readTo() };

  /** Sends in a slot, in the partner's turn: what is sent beside the feed takes nothing from others either. @returns undefined if nothing was sent any more */
  const sendInSlot = async (message: Message): Promise<Sent | undefined> => {
    const slot = await new Promise<Slot>((resolve) => {
      const taken = options.slots.take({ partner: options.feed, isDoubtful: lane.isDoubtful() }, resolve);
      if (taken !== undefined) resolve(taken);
    });
    try {
      return options.isStopped() ? undefined : await attempt(message, 0);
    } finally {
      slot.release();
    }
  };

  return {
    checkpointIsDue: (now: Date): boolean =>
      Math.abs(now.getTime() - checkpoint.at.getTime()) >= options.checkpointMs &&
      lane.isIdle() &&
      !lane.isDoubtful() &&
      lane.readTo() === reader.head().last &&
      lane.readTo() > checkpoint.sequence,

    /** Tells the receiver where the feed ends, once it has everything, and something is new. */
    sendCheckpoint: async (now: Date): Promise<void> => {
      const { last: sequence, lastOf } = reader.head();
      const former = checkpoint.sequence;
      checkpoint = { at: now, sequence };
      let sent: Sent | undefined;
      try {
        const end = { sequence, previousSequence: lastThrough(lastOf, filter()), at: now };
        sent = await sendInSlot(checkpointMessage(runtime.newId(), endpoint().id, end));
      } finally {
        // One that did not arrive is due again after the same time.
        if (sent === undefined || !isSuccess(sent)) checkpoint = { ...checkpoint, sequence: former };
      }
    },

    /** Delivers an event again, or a test event, with one attempt. @param failed called with why this side could not @returns whether it was made */
    carryOut: async ({ id, sequence }: { id: string; sequence: number }, failed: (err: unknown) => void): Promise<boolean> => {
      try {
        const event = sequence === 0 ? undefined : await reader.event(sequence, filter());
        if (event === undefined && sequence > 0) return true;
        const message = event === undefined ? testMessage(id, endpoint().id, runtime.now()) : messageOf(event, endpoint());
        return (await sendInSlot(message)) !== undefined;
      } catch (err) {
        failed(err);
        return false;
      }
    },
  };
};
