import { type EventTypeName, eventTypeOf } from '@florin/proto/events/v1/event-types';
import type { OwnersClient } from '../clients/owners.ts';
import { PLATFORM_FEED } from '../domain/feed-event.ts';
import type { Route } from '../store/routes.ts';

/** The people that an event concerns. */
export type Concern = { type: EventTypeName; subjectId: string; data: Readonly<Record<string, unknown>> };

/**
 * Finds the feed that an event belongs to. `mayMove` is true if another feed may be found at another time, because the event may concern a user whose registration is
 * not completed. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT while the owner cannot be asked
 */
export type FindFeed = (event: Concern) => Promise<Route & { mayMove: boolean }>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const uuidOf = (value: unknown): string | undefined => (typeof value === 'string' && UUID.test(value) ? value : undefined);

/** Kinds of subjects that have the id of a user. */
const USER_KINDS: ReadonlySet<string> = new Set(['user', 'cardholder']);

/** Subjects that exist only after their user's registration. They have nearly all events. */
const SETTLED_SUBJECTS: ReadonlySet<string> = new Set(['card', 'card_data', 'cardholder', 'challenge', 'payment']);

const mayMove = (type: EventTypeName, subject: string): boolean => !SETTLED_SUBJECTS.has(subject) && !type.startsWith('hold.');

/**
 * Finds feeds by the partner of the event's user, or of the user of its account. Events of users that identity does not know, of accounts that the ledger
 * does not know, and of neither, go to the feed of the platform.
 */
export const createFindFeed =
  ({ partnerOf, userOf }: OwnersClient): FindFeed =>
  async ({ type, subjectId, data }) => {
    const { internal, subject } = eventTypeOf(type);
    if (internal) return { feed: PLATFORM_FEED, mayMove: false };
    const accountId = uuidOf(data['accountId']);
    const named = uuidOf(data['userId']) ?? (USER_KINDS.has(subject) ? uuidOf(subjectId) : undefined);
    const userId = named ?? (accountId === undefined ? undefined : await userOf(accountId));
    const partner = userId === undefined ? undefined : await partnerOf(userId);
    const route = userId === undefined || partner === undefined ? { feed: PLATFORM_FEED } : { feed: partner, userId };
    return { ...route, mayMove: mayMove(type, subject) };
  };
