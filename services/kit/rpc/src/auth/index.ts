export { type Authenticator, bearerToken, createAuthenticator } from './authenticator.ts';
export { type BelongsToPartner, belongsToPartnerAt } from './belongs-to-partner.ts';
export type { Caller, ServiceCaller, UserCaller, WalletCaller } from './caller.ts';
export { type FollowedTrust, followServiceTrust } from './follow-trust.ts';
export { requireRecentSignIn } from './recent-sign-in.ts';
export {
  type FindRegisteredClient,
  findRegisteredClientAt,
  type RegisteredClient,
  withRegisteredClients,
} from './registered-clients.ts';
export { revocationNames, tokensOfKey, walletSessions } from './revocation-names.ts';
export { createRevokedSessions, REVOCATION_KEPT_MS, type RevokedSessions } from './revoked-sessions.ts';
export { partnerIdSchema, type ServiceKey, type ServiceTrust, serviceKeySchema, serviceTrustSchema } from './service-keys.ts';
export {
  createServiceTokenSource,
  createServiceTokenVerifier,
  PARTNER_TOKEN_AUDIENCE,
  type ServiceTokenSource,
  signServiceToken,
} from './service-token.ts';
export { tokenRejected } from './token-problem.ts';
export {
  ACCESS_TOKEN_LIFE_MS,
  createRemoteUserKeys,
  createUserTokenVerifier,
  JWKS_PATH,
  USER_KEYS_COOLDOWN_MS,
  USER_KEYS_TIMEOUT_MS,
  USER_TOKEN_AUDIENCE,
  USER_TOKEN_ISSUER,
  USER_TOKEN_TYPE,
  type UserTokenClaims,
  type UserTokenVerifier,
} from './user-token.ts';
