/** Scopes of a service token that the RPCs about personal data require. */
export const PRIVACY_SCOPES = {
  exportData: 'privacy.data.export',
  eraseData: 'privacy.data.erase',
} as const;
