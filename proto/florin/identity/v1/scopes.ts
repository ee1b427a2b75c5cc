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
  /** Ends sessions of users by the decision of an operator. */
  endSessions: 'identity.sessions.end',
  writeRecoveries: 'identity.recoveries.write',
  approveRecoveries: 'identity.recoveries.approve',
  readRecoveries: 'identity.recoveries.read',
  revokeKeys: 'identity.keys.revoke',
  rotateKeys: 'identity.keys.rotate',
  readOutbox: 'identity.outbox.read',
  /** Issues the bootstrap tokens with which servers of partners register their first key. */
  invitePartners: 'identity.partners.invite',
  /** Registers the key of whoever has a bootstrap token, or asks a sandbox for one. */
  registerPartners: 'identity.partners.register',
  /** Registers, lists and revokes keys of partners: a partner's client its own ones; a platform service, those of all partners. */
  managePartnerKeys: 'keys.manage',
  /** Asks whether a user belongs to a partner. */
  checkPartners: 'identity.partners.check',
  /** Of a partner's client: reads the records of the partner's users. */
  readPartnerUsers: 'users.read',
} as const;
