import { CodedError } from '@florin/rpc/errors';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { personName } from '../contract/fields.ts';

/** Where browsers come back to. */
export const CALLBACK_PATH = '/sign-in/oidc/callback';

const TIMEOUT_SECONDS = 10;

/** How long ago a person may have signed in at the provider: a browser that somebody left open there signs nobody in here. */
const MAX_AGE_SECONDS = 300;

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  rolesClaim: string | undefined;
  /** The ways to sign in at the provider that count, separated by spaces; undefined: any. */
  acrValues: string | undefined;
};

/** The browser's state between leaving for the provider and coming back: each answer of the provider must fit it. */
export type OidcFlow = { state: string; nonce: string; verifier: string };

/** The person who has signed in at the provider. */
export type OidcIdentity = {
  /** Issuer and subject, which name a person for good. */
  subject: string;
  /** In lower case; undefined unless the provider has verified it. */
  email: string | undefined;
  name: string | undefined;
  /** The roles of the claim; undefined where no claim is configured. */
  roles: readonly string[] | undefined;
};

/** As the address of an invitation: a letter of another script, which lower case would make one of ours, names somebody else. */
const emailSchema = z.email().max(254).toLowerCase();

const listOf = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string');

const toIdentity = (claims: IDToken, rolesClaim: string | undefined): OidcIdentity => ({
  subject: `${claims.iss} ${claims.sub}`,
  email: claims['email_verified'] === true ? emailSchema.safeParse(claims['email']).data : undefined,
  name: personName.safeParse(claims['name']).data,
  roles: rolesClaim === undefined ? undefined : listOf(claims[rolesClaim]),
});

/** The error in words for the log, without the answer of the provider, which has names and tokens. */
const withoutAnswer = (cause: unknown): Error => {
  const { message, code, error } = cause as { message?: unknown; code?: unknown; error?: unknown };
  return new Error([message, code, error].filter((word) => typeof word === 'string').join(', '));
};

/** Sign-in at an OpenID provider: authorization code with PKCE, state and nonce. The provider's document is read when it is first needed. */
export const createOidc = ({ issuer, clientId, clientSecret, rolesClaim, acrValues }: OidcSettings, origin: string) => {
  let discovered: Promise<Configuration> | undefined;
  // An ID token counts by its signature as well, not by the connection alone. Cleartext only to this machine, as the configuration requires.
  const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])];
  const configuration = (): Promise<Configuration> => {
    discovered ??= discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS }).catch(
      (cause: unknown) => {
        discovered = undefined;
        throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the OpenID provider does not respond', cause });
      },
    );
    return discovered;
  };

  return {
    /** @returns where the browser goes, and what it keeps. @throws CodedError SERVICE_UNAVAILABLE */
    begin: async (): Promise<{ url: string; flow: OidcFlow }> => {
      const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${origin}${CALLBACK_PATH}`,
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        max_age: String(MAX_AGE_SECONDS),
        ...(acrValues === undefined ? {} : { acr_values: acrValues }),
      });
      return { url: url.href, flow };
    },

    /** @param query what the provider has added to the callback. @throws CodedError UNAUTHORIZED, SERVICE_UNAVAILABLE */
    finish: async (query: URLSearchParams, flow: OidcFlow): Promise<OidcIdentity> => {
      const config = await configuration();
      const callback = new URL(`${origin}${CALLBACK_PATH}?${query}`);
      const checks = {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
        maxAge: MAX_AGE_SECONDS,
      };
      const tokens = await authorizationCodeGrant(config, callback, checks).catch((cause: unknown) => {
        throw new CodedError('UNAUTHORIZED', { message: 'the OpenID provider has not signed anybody in', cause: withoutAnswer(cause) });
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new CodedError('UNAUTHORIZED');
      // The provider may have signed somebody in in another way than it was asked to: the request is voluntary for it (OpenID Connect Core, section 3.1.2.1).
      const { acr } = claims;
      if (acrValues !== undefined && !(typeof acr === 'string' && acrValues.split(' ').includes(acr))) {
        throw new CodedError('UNAUTHORIZED', { message: 'the OpenID provider has signed somebody in in a way that does not count' });
      }
      return toIdentity(claims, rolesClaim);
    },
  };
};

export type Oidc = ReturnType<typeof createOidc>;
