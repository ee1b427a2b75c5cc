/** Scopes of a service token that the RPCs of the audit log require. */
export const AUDIT_SCOPES = {
  readEvents: 'audit.events.read',
} as const;
