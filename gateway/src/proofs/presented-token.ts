import { bearerToken } from '@florin/rpc/auth';

/** Algorithms of proofs (RFC 9449): ECDSA over P-256, and Ed25519. */
export const PROOF_ALGORITHMS = ['ES256', 'EdDSA'];

/** Maximum length of a proof. Proofs have some hundred characters; verifying longer ones would be wasted work. */
export const MAX_PROOF_LENGTH = 4096;

const DPOP_SCHEME = /^DPoP(?:$| +)/i;

/** Reports whether an Authorization header has the scheme DPoP (RFC 9449, section 7.1). */
export const isDpop = (authorization: string | undefined): boolean => authorization !== undefined && DPOP_SCHEME.test(authorization);

/** The same token with the scheme Bearer. Other headers are unchanged. */
export const asBearer = (authorization: string | undefined): string | undefined => authorization?.replace(DPOP_SCHEME, 'Bearer ');

/** The access token of an Authorization header with either scheme. @throws CodedError UNAUTHORIZED when there is none */
export const presentedToken = (authorization: string | undefined): string => bearerToken(asBearer(authorization));
