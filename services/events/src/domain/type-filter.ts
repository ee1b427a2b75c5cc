import { EVENT_TYPES, type EventTypeName, isEventType } from '@florin/proto/events/v1/event-types';
import { CodedError } from '@florin/rpc/errors';
import type { TypeFilter } from './feed-block.ts';

const NAMES = Object.keys(EVENT_TYPES) as EventTypeName[];

const typesOf = (text: string): readonly EventTypeName[] => {
  if (isEventType(text)) return [text];
  return text.endsWith('.*') ? NAMES.filter((name) => name.startsWith(text.slice(0, -1))) : [];
};

/** Reports whether this release knows all types that a reader asks for. */
export const areKnown = (texts: readonly string[]): boolean => texts.every((text) => typesOf(text).length > 0);

/** Reports whether a type is one of a later release that belongs to a group which a reader asks for. */
export const isUnknownOfGroup = (texts: readonly string[], type: string): boolean =>
  !isEventType(type) && texts.some((text) => text.endsWith('.*') && type.startsWith(text.slice(0, -1)));

/**
 * The types that a reader asks for: names of the catalogue, and groups such as `card.*`.
 * @returns undefined for no texts, which lets everything through
 * @throws CodedError EVENT_TYPE_UNKNOWN
 */
export const parseTypes = (texts: readonly string[]): TypeFilter => {
  if (texts.length === 0) return undefined;
  return new Set(
    texts.flatMap((text, index) => {
      const types = typesOf(text);
      if (types.length > 0) return types;
      throw new CodedError('EVENT_TYPE_UNKNOWN', { message: `types[${index}]: is not in the catalogue of events` });
    }),
  );
};
