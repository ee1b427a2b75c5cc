import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { JWKS_PATH } from '@florin/rpc/auth';
import { z } from 'zod';
import { KEYS_FRESH_SECONDS, publishedKeysSchema } from '../../clients/published-keys.ts';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput, DONE, done, email, id } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { session, toSession } from '../../schemas/session.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { opaque } from '../../schemas/text.ts';
import { tokenPair, toTokenPair } from '../../schemas/token-pair.ts';

const PURPOSE = { sign_in: SiwePurpose.SIGN_IN, add_wallet: SiwePurpose.ADD_WALLET } as const;

export const createSiweMessage = defineRoute({
  operationId: 'createSiweMessage',
  method: 'get',
  path: '/auth/siwe/{address}',
  tag: 'Auth',
  summary: 'Create a message to sign',
  description:
    'Returns an EIP-4361 message with a single-use nonce that is valid for ten minutes. Sign it unchanged with `personal_sign` (EIP-191).',
  policy: 'public',
  rateLimit: 'auth',
  params: z.object({ address: addressInput }),
  query: z.object({
    domain: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/, 'must be a host, or a host and a port')
      .meta({ description: 'Authority (RFC 3986) of the app that requests the sign-in; it must belong to a partner' }),
    uri: z
      .string()
      .max(2048)
      .regex(/^https?:\/\/[!#-;=?-[\]_a-z~]+$/, 'must be an http or https URI')
      .meta({ description: 'URI that the message is for; its host must be the domain' }),
    purpose: z
      .enum(['sign_in', 'add_wallet'])
      .default('sign_in')
      .meta({ description: 'Purpose of the message: `POST /auth/siwe` or `POST /user/wallets`' }),
  }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['DOMAIN_NOT_ALLOWED'],
  handler: async ({ params: { address }, query: { domain, uri, purpose } }, { upstream, asGateway }) => {
    const { message } = await asGateway((options) =>
      upstream.auth.createSiweMessage({ address, domain, uri, purpose: PURPOSE[purpose] }, options),
    );
    return { message };
  },
});

export const signIn = defineRoute({
  operationId: 'signIn',
  method: 'post',
  path: '/auth/siwe',
  tag: 'Auth',
  summary: 'Sign in',
  description:
    'Opens a session for the wallet that signed a message of `GET /auth/siwe/{address}`. With a DPoP proof, the session and its tokens are bound to the key of the proof.',
  policy: 'public',
  rateLimit: 'auth',
  body: signedMessage,
  answers: { 200: tokenPair },
  errors: ['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED', 'DOMAIN_NOT_ALLOWED'],
  // On this operation the signature is the caller's credential.
  statusOf: { INVALID_SIGNATURE: 401 },
  acceptsProof: true,
  handler: async ({ body: { message, signature: signed } }, { upstream, asGateway, peer: { ip, userAgent }, proofKey, now }) => {
    const request = { message, signature: signed, ip, userAgent, dpopJkt: proofKey };
    const { tokens } = await asGateway((options) => upstream.auth.signIn(request, options));
    return toTokenPair(tokens, now());
  },
});

export const refreshSession = defineRoute({
  operationId: 'refreshSession',
  method: 'post',
  path: '/auth/refresh',
  tag: 'Auth',
  summary: 'Refresh the tokens',
  description:
    'Exchanges a refresh token for a new pair of tokens. A refresh token can be used once: using it again more than a few seconds later ends the session (RFC 9700, section 4.14.2). A session that is bound to a key requires a proof by the same key; one that is not bound rejects a proof.',
  policy: 'public',
  rateLimit: 'auth',
  body: z.object({ refreshToken: opaque(512) }),
  answers: { 200: tokenPair },
  errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'],
  acceptsProof: true,
  handler: async ({ body: { refreshToken } }, { upstream, asGateway, proofKey, now }) => {
    const { tokens } = await asGateway((options) => upstream.auth.refreshSession({ refreshToken, dpopJkt: proofKey }, options));
    return toTokenPair(tokens, now());
  },
});

export const logout = defineRoute({
  operationId: 'logout',
  method: 'post',
  path: '/auth/logout',
  tag: 'Auth',
  summary: 'Log out',
  description: 'Ends the session of the access token. Its access and refresh tokens stop working immediately, and its event streams end.',
  policy: 'wallet',
  answers: { 200: done },
  errors: [],
  handler: async (_input, { upstream, asCaller, caller, revoked }) => {
    await upstream.sessions.endCurrentSession({}, asCaller);
    revoked(caller.sessionId);
    return DONE;
  },
});

export const logoutAll = defineRoute({
  operationId: 'logoutAll',
  method: 'post',
  path: '/auth/logout-all',
  tag: 'Auth',
  summary: 'Log out everywhere',
  description:
    "Ends all of the caller's sessions at the partner, on all devices and of all wallets, the current one included. Their tokens stop working immediately, and their event streams end.",
  policy: 'wallet',
  answers: { 200: done },
  errors: [],
  handler: async (_input, { upstream, asCaller, caller, revoked }) => {
    await upstream.sessions.endAllSessions({}, asCaller);
    revoked(caller.sessionId);
    return DONE;
  },
});

export const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/auth/sessions',
  tag: 'Auth',
  summary: 'List sessions',
  description: 'Returns the active sessions of the caller, newest first: those of the wallet, or of all wallets of the user.',
  policy: 'wallet',
  query: pageQuery,
  answers: { 200: z.object({ data: z.array(session), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { sessions, page } = await upstream.sessions.listSessions({ page: toPageRequest(query) }, asCaller);
    return { data: sessions.map(toSession), pagination: toPagination(page) };
  },
});

export const endSession = defineRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/auth/sessions/{id}',
  tag: 'Auth',
  summary: 'End a session',
  description:
    "Ends one of the caller's sessions. Its tokens stop working immediately, and its event streams end. A session that has ended, or is not the caller's, is `NOT_FOUND`.",
  policy: 'wallet',
  params: z.object({ id }),
  answers: { 200: done },
  errors: ['NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller, revoked }) => {
    await upstream.sessions.endSession({ sessionId: params.id }, asCaller);
    revoked(params.id);
    return DONE;
  },
});

export const getPublishedKeys = defineRoute({
  operationId: 'getPublishedKeys',
  method: 'get',
  path: JWKS_PATH,
  tag: 'Auth',
  summary: 'Get the token keys',
  description: 'Returns the public keys that verify access tokens, as a JSON Web Key Set (RFC 7517).',
  policy: 'public',
  publicForSeconds: KEYS_FRESH_SECONDS,
  answers: { 200: publishedKeysSchema },
  errors: [],
  handler: (_input, { upstream }) => upstream.publishedKeys(),
});

/** A mail server may take several seconds to accept a message. */
const TIMEOUT_MS = 15_000;

export const sendEmailCode = defineRoute({
  operationId: 'sendEmailCode',
  method: 'post',
  path: '/email-verification',
  tag: 'Auth',
  summary: 'Send an e-mail code',
  description:
    'Sends a one-time password for `POST /user` by e-mail, in English, German or French, as `Accept-Language` prefers. The response does not reveal whether the address is registered. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds, and an address can get five codes per hour.',
  policy: 'wallet',
  rateLimit: 'auth',
  body: z.object({ email }),
  answers: { 200: done },
  errors: ['RESEND_TOO_SOON'],
  handler: async ({ body }, { upstream, asCaller, peer: { ip }, language }) => {
    await upstream.verification.sendEmailCode({ email: body.email, ip, language }, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return DONE;
  },
});
