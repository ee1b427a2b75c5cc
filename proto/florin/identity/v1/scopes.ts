/** Scopes that identity's RPCs require of a service token. */
export const IDENTITY_SCOPES = {
  signIn: 'identity.signin',
  readUsers: 'identity.users.read',
  verifyPhones: 'identity.phone.verify',
  writeKyc: 'identity.kyc.write',
  writeRecoveries: 'identity.recoveries.write',
  approveRecoveries: 'identity.recoveries.approve',
  readRecoveries: 'identity.recoveries.read',
  revokeKeys: 'identity.keys.revoke',
  rotateKeys: 'identity.keys.rotate',
  readOutbox: 'identity.outbox.read',
} as const;
