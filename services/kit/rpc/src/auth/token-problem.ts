import { errors } from 'jose';
import { CodedError } from '../errors/index.ts';

/**
 * Why a token was rejected, in the metadata of UNAUTHORIZED as `tokenProblem`. Claims are judged only after the signature, so a forger
 * learns about a claim only what the holder of the key knows.
 * - `missing`: there is no bearer token
 * - `malformed`: the text is not a signed token in the expected form (JWS compact serialization, EdDSA)
 * - `unknown_key`: no trusted client has the key id
 * - `bad_signature`: the signature does not match the key
 * - `expired`: `exp` has passed, or `iat` is too old
 * - `wrong_audience`: `aud` names another service, or several
 * - `invalid_claim`: another claim is missing or wrong; `claim` names it
 * - `revoked`: the session of the token has ended
 * - `wrong_certificate`: the certificate of the connection does not name the owner of the token
 */
export type TokenProblem =
  | 'missing'
  | 'malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'expired'
  | 'wrong_audience'
  | 'invalid_claim'
  | 'revoked'
  | 'wrong_certificate';

/** The error UNAUTHORIZED with the reason. @param claim name of the claim, for `invalid_claim` */
export const tokenRejected = (tokenProblem: TokenProblem, { claim, cause }: { claim?: string; cause?: unknown } = {}): CodedError =>
  new CodedError('UNAUTHORIZED', { metadata: { tokenProblem, ...(claim === undefined ? {} : { claim }) }, cause });

/** A claim of a verified token that jose does not check. */
export class ClaimError extends Error {
  readonly claim: string;

  constructor(claim: string, message: string) {
    super(message);
    this.name = 'ClaimError';
    this.claim = claim;
  }
}

/** Converts an error of jose, or a ClaimError, to UNAUTHORIZED with its reason. */
export const toTokenRejection = (cause: unknown): CodedError => {
  if (cause instanceof errors.JWTExpired) return tokenRejected('expired', { cause });
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return cause.claim === 'aud' && cause.reason !== 'missing'
      ? tokenRejected('wrong_audience', { cause })
      : tokenRejected('invalid_claim', { claim: cause.claim, cause });
  }
  if (cause instanceof ClaimError) return tokenRejected('invalid_claim', { claim: cause.claim, cause });
  if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) {
    return tokenRejected('unknown_key', { cause });
  }
  if (cause instanceof errors.JWSSignatureVerificationFailed) return tokenRejected('bad_signature', { cause });
  return tokenRejected('malformed', { cause });
};
