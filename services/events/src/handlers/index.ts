import { FeedService } from '@florin/proto/events/v1/feed_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { appendEvents } from './append-events.ts';
import type { Dependencies } from './dependencies.ts';
import { listEventTypes } from './list-event-types.ts';
import { listEvents } from './list-events.ts';
import { listUserEvents } from './list-user-events.ts';
import { watchEvents } from './watch-events.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(FeedService, {
    appendEvents: appendEvents(dependencies),
    listEvents: listEvents(dependencies),
    watchEvents: watchEvents(dependencies),
    listUserEvents: listUserEvents(dependencies),
    listEventTypes: listEventTypes(),
  }),
];
