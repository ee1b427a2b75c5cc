import { EVENT_TYPES, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import type { ListEventTypesRequest } from '@florin/proto/events/v1/feed_service';
import { serviceMethod } from '@florin/rpc/server';

const CATALOGUE = Object.keys(EVENT_TYPES)
  .filter(isEventType)
  .map((name) => {
    const { subject, description, fields } = eventTypeOf(name);
    return { name, subjectKind: subject, description, fields: Object.keys(fields) };
  });

export const listEventTypes = () => serviceMethod((_request: ListEventTypesRequest) => ({ types: CATALOGUE }));
