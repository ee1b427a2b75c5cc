import { CARD_SCOPES } from '../../card/v1/scopes.ts';
import { IDENTITY_SCOPES } from '../../identity/v1/scopes.ts';
import { LEDGER_SCOPES } from '../../ledger/v1/scopes.ts';

/** Scopes that the events RPCs require of a service token. */
export const EVENTS_SCOPES = {
  /** Appends events to the feeds; for the services that cause them. */
  append: 'events.append',
  /** Reads feeds: its own, for the client of a partner; all, for a platform service. */
  read: 'events.read',
  /** Reads webhook endpoints and their log. A partner's client sees its own; a platform service, those of all partners. */
  readWebhooks: 'webhooks.read',
  /** Creates and changes webhook endpoints; returns new secrets. */
  manageWebhooks: 'webhooks.manage',
} as const;

/** The scopes that a partner's own client may have: those of RPCs that keep partners apart. */
export const PARTNER_SCOPES: readonly string[] = [
  EVENTS_SCOPES.read,
  EVENTS_SCOPES.readWebhooks,
  EVENTS_SCOPES.manageWebhooks,
  IDENTITY_SCOPES.managePartnerKeys,
  IDENTITY_SCOPES.readPartnerUsers,
  CARD_SCOPES.readPartnerPayments,
  LEDGER_SCOPES.readPartnerMovements,
];
