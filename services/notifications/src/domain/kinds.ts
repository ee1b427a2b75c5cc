import type { EventTypeName } from '@florin/proto/events/v1/event-types';

/** Kinds of notifications, as preferences name them. */
export const KINDS = ['payment_approved', 'payment_declined', 'challenge', 'refund', 'deposit', 'withdrawal', 'card', 'security'] as const;
export type Kind = (typeof KINDS)[number];

/** The kind of notification that an event is. Types that are left out are none: another event tells the same, or the user did it in the app. */
export const KIND_OF: Readonly<Partial<Record<EventTypeName, Kind>>> = {
  'payment.authorized': 'payment_approved',
  'payment.advised': 'payment_approved',
  'payment.force_posted': 'payment_approved',
  'payment.declined': 'payment_declined',
  'payment.refunded': 'refund',
  'payment.related_refund': 'refund',
  'payment.credited': 'refund',
  'payment.dispute_won': 'refund',
  'payment.dispute_lost': 'refund',
  'challenge.created': 'challenge',
  'deposit.approved': 'deposit',
  'deposit.rejected': 'deposit',
  'withdrawal.completed': 'withdrawal',
  'withdrawal.failed': 'withdrawal',
  'recipient.requested': 'withdrawal',
  'return.requested': 'withdrawal',
  'card.issued': 'card',
  'card.frozen': 'card',
  'card.unfrozen': 'card',
  'card.lost': 'card',
  'card.stolen': 'card',
  'card.cancelled': 'card',
  'card.replaced': 'card',
  'card.renewed': 'card',
  'user.wallet_added': 'security',
  'user.wallet_removed': 'security',
  'user.primary_wallet_changed': 'security',
  'user.card_limits_raising': 'security',
  'user.card_controls_opening': 'security',
  'user.signed_in_elsewhere': 'security',
  'cardholder.phone_changed': 'security',
  'safe.changed': 'security',
  'backup_key.named': 'security',
  'recovery.requested': 'security',
  'recovery.completed': 'security',
  'recovery.cancelled': 'security',
};

/** The types of events that are read. */
export const READ_TYPES: readonly string[] = Object.keys(KIND_OF);

/** The kind of an event by the name of its type; undefined if users are not notified of it. */
export const kindOf = (type: string): Kind | undefined => KIND_OF[type as EventTypeName];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a notification is worth being sent, in milliseconds after the event. Of a challenge: at most; it ends with the challenge. */
export const worthMs = (kind: Kind): number => (kind === 'challenge' ? 10 * MINUTE_MS : 24 * HOUR_MS);

/** Kinds that are pushed during quiet hours, too: what expires within minutes, and what may not have been the user. */
export const isUrgent = (kind: Kind): boolean => kind === 'challenge' || kind === 'security';
