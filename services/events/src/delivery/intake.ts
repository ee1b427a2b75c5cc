import type { Logger } from '@florin/rpc/observe';
import { eventsThrough, type FeedBlock, type TypeFilter } from '../domain/feed-block.ts';
import { isUnknownOfGroup, parseTypes } from '../domain/type-filter.ts';
import type { Lane } from '../domain/webhooks/lane.ts';
import type { FeedReader } from './feed-source.ts';

type Options = {
  endpointId: string;
  types: readonly string[];
  lane: Lane;
  reader: FeedReader;
  /** Called with a read that has begun: what it brings is there once it is over. */
  reading: (work: Promise<void>) => void;
  logger: Pick<Logger, 'warn'>;
};

/** Reads a feed into the lane of an endpoint, through the endpoint's filter. */
export type Intake = {
  /** Reads what is in memory, and begins to read what is not. */
  fill: () => void;
  filter: () => TypeFilter;
  /** Goes on with other types. */
  update: (types: readonly string[]) => void;
};

export const createIntake = ({ endpointId, lane, reader, reading, logger, ...start }: Options): Intake => {
  let { types } = start;
  let filter = parseTypes(types);
  let isReading = false;
  let isWaiting = false;

  /** Reports whether the endpoint's groups include an event of a later release: the receiver expects it, and only that release can tell what precedes it. */
  const isBeyond = ({ first, events }: FeedBlock): boolean =>
    events.some(({ type }, index) => first + index > lane.readTo() && isUnknownOfGroup(types, type));

  /** @returns false for a block that has to wait */
  const offer = (block: FeedBlock): boolean => {
    const after = lane.readTo();
    if (isBeyond(block)) {
      if (!isWaiting) logger.warn({ endpointId, after }, 'an event of a type of a later release waits for that release');
      isWaiting = true;
      return false;
    }
    if (block.first > after + 1)
      logger.warn({ endpointId, after, first: block.first }, 'events are not kept any more and cannot be delivered');
    lane.offer([...eventsThrough(block, filter)], block.last);
    return true;
  };

  return {
    fill: () => {
      while (!isReading && lane.wantsEvents()) {
        const next = reader.next(lane.readTo());
        if (next === undefined) return;
        if (!(next instanceof Promise)) {
          if (!offer(next)) return;
          continue;
        }
        isReading = true;
        const read = next
          .then((block) => {
            if (block !== undefined) offer(block);
          })
          .finally(() => {
            isReading = false;
          });
        reading(read);
      }
    },
    filter: () => filter,
    update: (changed) => {
      types = changed;
      filter = parseTypes(types);
      isWaiting = false;
    },
  };
};
