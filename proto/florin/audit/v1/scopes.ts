/** Scopes that the audit log's RPCs require of a service token. */
export const AUDIT_SCOPES = {
  readEvents: 'audit.events.read',
} as const;
