import { CodedError } from '@florin/rpc/errors';
import type { Intent, Verdict } from '../domain/draft-block.ts';
import type { Place } from '../domain/movement.ts';

/** Verdicts on one caller's intents that rest on durable blocks; the place is that of the block that was drafted for them. */
export type Settled = { verdicts: readonly Verdict[]; place: Omit<Place, 'index'> };

/** Intents of one caller. */
export type Group = {
  intents: readonly Intent[];
  resolve: (settled: Settled) => void;
  reject: (error: unknown) => void;
  /** True if its caller has stopped waiting. */
  abandoned: boolean;
};

export type Waiting = { settled: Promise<Settled>; abandon: () => void };

const unavailable = (message: string): CodedError => new CodedError('SERVICE_UNAVAILABLE', { message });

export const rejected = (message: string): Waiting => ({ settled: Promise.reject(unavailable(message)), abandon: () => undefined });

export const rejectGroups = (groups: readonly Group[], message: string): void => {
  for (const { reject } of groups) reject(unavailable(message));
};

/** Callers that wait for a block, first come, first served. */
export type Queue = {
  /** Adds the intents of one caller. `abandon` says that the caller has stopped waiting. */
  add: (intents: readonly Intent[]) => Waiting;
  /** The groups at the front, one at least, together with no more than so many intents; abandoned ones are dropped. */
  take: (most: number) => Group[];
  /** Puts groups that were taken back to the front. */
  putBack: (groups: readonly Group[]) => void;
  rejectAll: (message: string) => void;
  /** Waiting intents. */
  size: () => number;
};

/** @param maxIntents most intents that wait; beyond it a caller is rejected, unless it is the only one */
export const createQueue = (maxIntents: number): Queue => {
  let groups: Group[] = [];
  let size = 0;
  return {
    add: (intents) => {
      if (intents.length === 0)
        return { settled: Promise.resolve({ verdicts: [], place: { n: 0, at: new Date(0) } }), abandon: () => undefined };
      if (size + intents.length > Math.max(maxIntents, intents.length)) return rejected('too many entries are waiting');
      const { promise: settled, resolve, reject } = Promise.withResolvers<Settled>();
      const group: Group = { intents, resolve, reject, abandoned: false };
      groups.push(group);
      size += intents.length;
      return {
        settled,
        abandon: () => {
          group.abandoned = true;
        },
      };
    },
    take: (most) => {
      const taken: Group[] = [];
      let count = 0;
      let end = 0;
      for (const group of groups) {
        if (taken.length > 0 && count + group.intents.length > most) break;
        end += 1;
        size -= group.intents.length;
        if (group.abandoned) continue;
        taken.push(group);
        count += group.intents.length;
      }
      groups = groups.slice(end);
      return taken;
    },
    putBack: (taken) => {
      groups = [...taken, ...groups];
      size += taken.reduce((sum, { intents }) => sum + intents.length, 0);
    },
    rejectAll: (message) => {
      rejectGroups(groups.splice(0), message);
      size = 0;
    },
    size: () => size,
  };
};
