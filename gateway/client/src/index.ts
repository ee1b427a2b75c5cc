export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { type AnyCode, type ClientCode, type ErrorCodeOf, type ErrorOf, FlorinError, isFlorinError, type OperationName } from './errors.ts';
export type * from './generated/schemas.ts';
export type { Input, Output } from './operations.ts';
export { createProofKey, type ProofKey } from './proof.ts';
export type { Session, SessionState } from './session.ts';
export {
  createCookieSession,
  createMemoryStore,
  createSession,
  type SessionOptions,
  type SessionTokens,
  type TokenStore,
} from './token-store.ts';
export type { Call, CallOptions, PagedCall, Result, ServerEvent, StreamOptions, StreamState } from './types.ts';
