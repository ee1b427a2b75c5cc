import { createHash } from 'node:crypto';
import { tokenRejected, type WalletCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Request } from 'express';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose';
import { z } from 'zod';
import { isDpop, MAX_PROOF_LENGTH, PROOF_ALGORITHMS, presentedToken } from './presented-token.ts';
import type { UsedProofs } from './used-proofs.ts';

/** Largest difference between the `iat` of a proof and the gateway's clock. */
const MAX_SKEW_SECONDS = 60;

const claimsSchema = z.object({
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  jti: z.string().min(8).max(128),
  ath: z.string().optional(),
});

const UNRESERVED = /[\w.~-]/;

/** A URL without query and fragment, normalized (RFC 3986, sections 6.2.2 and 6.2.3); undefined unless it is an http or https URL. */
const normalize = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  const path = pathname.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const decoded = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(decoded) ? decoded : encoded.toUpperCase();
  });
  return origin + path;
};

const rejected = (message: string, cause?: unknown): CodedError => new CodedError('INVALID_DPOP_PROOF', { message, cause });

/** Verifies the proofs of requests (RFC 9449, section 4.3). */
export type Proofs = {
  /** Verifies the proof of a request without a token. Returns the thumbprint of its key, undefined without a proof. @throws CodedError INVALID_DPOP_PROOF, SERVICE_UNAVAILABLE */
  keyOf: (request: Request) => Promise<string | undefined>;
  /**
   * Verifies that the request proves possession of the key to which the caller's token is bound.
   * @throws CodedError INVALID_DPOP_PROOF, UNAUTHORIZED when a token that is not bound has the scheme DPoP, SERVICE_UNAVAILABLE
   */
  verify: (request: Request, caller: Pick<WalletCaller, 'jkt'>) => Promise<void>;
};

/**
 * Creates the verification of proofs: signature, request, time and single use.
 * @param parts `urls` are the URLs of the API as clients use them; without them the Host header counts
 */
export const createProofs = ({ urls, now, used }: { urls?: readonly string[] | undefined; now: () => Date; used: UsedProofs }): Proofs => {
  const namesRequest = (htu: string, request: Request): boolean => {
    const named = normalize(htu);
    const bases = urls ?? [`${request.protocol}://${request.get('host') ?? ''}`];
    return named !== undefined && bases.some((base) => normalize(base.replace(/\/$/, '') + request.path) === named);
  };

  const check = async (proof: string, request: Request, expected: { jkt?: string; token?: string }): Promise<string> => {
    if (proof.length > MAX_PROOF_LENGTH) throw rejected(`the proof must have at most ${MAX_PROOF_LENGTH} characters`);
    const time = now();
    const options = { algorithms: PROOF_ALGORITHMS, typ: 'dpop+jwt', currentDate: time };
    // The key of the header is rejected unless it is public.
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
    const { htm, htu, iat, jti, ath } = claimsSchema.parse(payload);
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk as JWK);
    if (expected.jkt !== undefined && jkt !== expected.jkt) throw rejected('the token is bound to another key');
    if (htm !== request.method) throw rejected('htm must be the method of the request');
    if (!namesRequest(htu, request)) throw rejected('htu must be the URL of the request');
    if (Math.abs(time.getTime() / 1000 - iat) > MAX_SKEW_SECONDS) throw rejected(`iat must be within ${MAX_SKEW_SECONDS} seconds`);
    if (expected.token !== undefined && ath !== createHash('sha256').update(expected.token).digest('base64url')) {
      throw rejected('ath must be the hash of the access token');
    }
    if (!(await used.use({ jkt, jti }))) throw rejected('the proof was used before');
    return jkt;
  };

  const verified: typeof check = async (...proof) => {
    try {
      return await check(...proof);
    } catch (cause) {
      if (cause instanceof CodedError) throw cause;
      const claim = cause instanceof z.ZodError ? cause.issues[0]?.path[0] : undefined;
      throw rejected(
        claim === undefined ? 'the proof is not a signed proof with its public key' : `${String(claim)} is missing or malformed`,
        cause,
      );
    }
  };

  return {
    keyOf: async (request) => {
      const proof = request.get('dpop');
      return proof === undefined ? undefined : verified(proof, request, {});
    },
    verify: async (request, { jkt }) => {
      const authorization = request.get('authorization');
      if (jkt === undefined) throw tokenRejected('invalid_claim', { claim: 'cnf' });
      if (!isDpop(authorization)) throw rejected('a bound token must have the scheme DPoP');
      const proof = request.get('dpop');
      if (proof === undefined) throw rejected('the proof is missing');
      await verified(proof, request, { jkt, token: presentedToken(authorization) });
    },
  };
};
