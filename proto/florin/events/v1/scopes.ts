/** Scopes that the events RPCs require of a service token. */
export const EVENTS_SCOPES = {
  /** Appends events to the feeds; for the services that cause them. */
  append: 'events.append',
  /** Reads feeds: its own, for the client of a partner; all, for a platform service. */
  read: 'events.read',
} as const;

/** The scopes that a partner's own client may have: those of RPCs that keep partners apart. */
export const PARTNER_SCOPES: readonly string[] = [EVENTS_SCOPES.read];
