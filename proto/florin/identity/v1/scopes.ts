/** Scopes that identity's RPCs require of a service token. */
export const IDENTITY_SCOPES = {
  signIn: 'identity.signin',
  readUsers: 'identity.users.read',
  eraseUsers: 'identity.users.erase',
  verifyPhones: 'identity.phone.verify',
  writeKyc: 'identity.kyc.write',
  /** Puts approved checks into review again. */
  takeKycBack: 'identity.kyc.take_back',
  readSessions: 'identity.sessions.read',
  writeRecoveries: 'identity.recoveries.write',
  approveRecoveries: 'identity.recoveries.approve',
  readRecoveries: 'identity.recoveries.read',
  revokeKeys: 'identity.keys.revoke',
  rotateKeys: 'identity.keys.rotate',
  readOutbox: 'identity.outbox.read',
} as const;
