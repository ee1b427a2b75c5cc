import { DATA_VERSION, type EventTypeName, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import type { KeptEvent } from './feed-block.ts';

/** Fields of an event's data. */
export type Fields = Readonly<Record<string, unknown>>;

type Names = Readonly<Record<string, unknown>>;

const pick = (data: Fields, names: Names): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => Object.hasOwn(names, name)));

/** The fields of an event's data that the catalogue lists for its type in any version, as JSON. Everything else is left out. */
export const listedData = (type: EventTypeName, data: Fields): string => {
  const { fields, former } = eventTypeOf(type);
  return JSON.stringify(pick(data, { ...fields, ...former }));
};

/** The state that a movement reaches by an event. */
const STATUS: Readonly<Partial<Record<EventTypeName, string>>> = {
  'deposit.seen': 'pending',
  'deposit.approved': 'approved',
  'deposit.rejected': 'rejected',
  'deposit.reversed': 'reversed',
  'withdrawal.created': 'pending',
  'withdrawal.processing': 'processing',
  'withdrawal.completed': 'completed',
  'withdrawal.failed': 'failed',
};

/** The state that an event of a deposit or a withdrawal reports; undefined for other types. */
export const movementStatus = (type: EventTypeName): string | undefined => STATUS[type];

/** The second version of what an earlier release stored of an entry: what its id and its transfer say. */
const ofEntry = (type: EventTypeName, entryId: string, { transfers, ...data }: Fields): Fields => {
  const [kind = '', id, txHash, , step] = entryId.split('/');
  const [moved] = Array.isArray(transfers) ? (transfers as { token: string; amount: string }[]) : [];
  return {
    ...data,
    ...(moved === undefined ? {} : { token: moved.token, amount: moved.amount }),
    // The entry of a deposit that was seen is named by its transaction.
    ...(step === 'seen' ? { txHash } : { [`${kind}Id`]: id }),
    status: movementStatus(type),
  };
};

/** The second version of data that an earlier release has stored. */
const upgraded = (type: EventTypeName, data: Fields): Fields => {
  const { entryId, state, status } = data;
  if (status !== undefined) return data;
  if (state !== undefined) return { ...data, status: state };
  return typeof entryId === 'string' ? ofEntry(type, entryId, data) : data;
};

/** Adds the user whom an event concerns, which not every service states in the data. */
const withUser = (json: string, userId: string | undefined): string => {
  if (userId === undefined || json.includes('"userId":')) return json;
  return json === '{}' ? `{"userId":"${userId}"}` : `{"userId":"${userId}",${json.slice(1)}`;
};

/** The data of an event as a reader of a version sees it, as JSON. Events of a later release are returned as they are. */
export const dataIn = (version: number, { type, data, userId }: KeptEvent): string => {
  if (!isEventType(type)) return data;
  const { fields, former } = eventTypeOf(type);
  const names: Names = former !== undefined && version < DATA_VERSION ? former : fields;
  const shown =
    former === undefined
      ? data
      : JSON.stringify(pick(names === former ? (JSON.parse(data) as Fields) : upgraded(type, JSON.parse(data) as Fields), names));
  return Object.hasOwn(names, 'userId') ? withUser(shown, userId) : shown;
};

/** The version that a reader asks for: the newest one unless stated. */
export const versionOf = (stated: number): number => (stated === 0 ? DATA_VERSION : stated);
