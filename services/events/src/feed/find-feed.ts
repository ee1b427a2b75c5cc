import { type EventTypeName, eventTypeOf } from '@florin/proto/events/v1/event-types';
import type { OwnersClient } from '../clients/owners.ts';
import { PLATFORM_FEED } from '../domain/feed-event.ts';

/** The people that an event concerns. */
export type Concern = { type: EventTypeName; subjectId: string; data: Readonly<Record<string, unknown>> };

/** The feed that an event belongs to, and the partner's user whom it concerns. */
export type Belonging = { feed: string; userId?: string };

/** Finds the feed that an event belongs to. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT while the owner cannot be asked */
export type FindFeed = (event: Concern) => Promise<Belonging>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const uuidOf = (value: unknown): string | undefined => (typeof value === 'string' && UUID.test(value) ? value : undefined);

/** Kinds of subjects that have the id of a user. */
const USER_KINDS: ReadonlySet<string> = new Set(['user', 'cardholder']);

/**
 * Finds feeds by the partner of the event's user, or of the user of its account. Events of users that identity does not know, of accounts that the ledger
 * does not know, and of neither, go to the feed of the platform.
 */
export const createFindFeed =
  ({ partnerOf, userOf }: OwnersClient): FindFeed =>
  async ({ type, subjectId, data }) => {
    const { internal, subject } = eventTypeOf(type);
    if (internal) return { feed: PLATFORM_FEED };
    const accountId = uuidOf(data['accountId']);
    const named = uuidOf(data['userId']) ?? (USER_KINDS.has(subject) ? uuidOf(subjectId) : undefined);
    const userId = named ?? (accountId === undefined ? undefined : await userOf(accountId));
    const partner = userId === undefined ? undefined : await partnerOf(userId);
    return userId === undefined || partner === undefined ? { feed: PLATFORM_FEED } : { feed: partner, userId };
  };
