import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type Deployment, isIdempotent, type Route, TAGS, type Tag } from '../http/define-route.ts';
import type { Registry } from '../http/registry.ts';
import { MAX_PROOF_LENGTH } from '../proofs/presented-token.ts';
import { simpleError, validationError } from '../schemas/errors.ts';
import { EXAMPLES } from './examples/index.ts';
import { responsesOf, sharedResponses } from './openapi-responses.ts';
import { createWebhooks } from './webhooks.ts';

const BEARER = 'bearerAuth';
const PARTNER = 'partnerAuth';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'An unguessable string that identifies this request, for example a UUID. Repeating a successful request with the same key within 24 hours returns its response again, with `Idempotency-Replayed: true`. A rejected request is judged again.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header' as const,
  required: false,
  description: 'The `id` of the last event that the client read, as browsers send it. The stream resumes after that event.',
  schema: { type: 'string' as const, maxLength: 64 },
};

const proofHeader = {
  name: 'DPoP',
  in: 'header' as const,
  required: false,
  description:
    'A proof of possession of a key (RFC 9449): a JWT of type `dpop+jwt`, signed with ES256 or EdDSA, for this request only. Required if the session is bound to a key.',
  schema: { type: 'string' as const, maxLength: MAX_PROOF_LENGTH },
};

const signatureHeader = (name: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description:
    '`t=<seconds since 1970>,v1=<hex of HMAC-SHA256 over "<t>.<body>">`, with one or more `v1` values. `t` must be within five minutes of the current time.',
  schema: { type: 'string' as const, maxLength: 1024 },
});

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const HEADERS = {
  'X-Request-Id': text(
    "The id of the request: the caller's own if it is 1 to 128 characters of `A-Z a-z 0-9 . _ : -`, otherwise a new UUID.",
  ),
  'WWW-Authenticate': text(
    '`Bearer`, with `error="invalid_token"` and an `error_description` if a token was sent and is malformed, expired or revoked (RFC 6750). With 403 `error="insufficient_scope"`, and the missing `scope` of the token of a partner. `DPoP` with `algs` to a client that used this scheme, and `error="invalid_dpop_proof"` if the proof is missing or not valid (RFC 9449).',
  ),
  'Retry-After': {
    description: 'Seconds to wait before the next request; absent where no time can be told.',
    schema: { type: 'integer' as const },
  },
  Link: text(
    '`</errors#CODE>; rel="help"`: the cause and the remedy of the error. Its `title` has facts of this one, for example why a URL is rejected.',
  ),
  'Idempotency-Replayed': text('`true` if the response is that of an earlier request with the same Idempotency-Key; absent otherwise.'),
  'Content-Disposition': text('Name of the file under which a table, or an export, is saved; absent from the JSON of lists.'),
  RateLimit: text('The remaining quota of each limit (draft-ietf-httpapi-ratelimit-headers).'),
  'RateLimit-Policy': text('The limits that apply (draft-ietf-httpapi-ratelimit-headers).'),
};

const needsToken: Record<string, string[]>[] = [{ [BEARER]: [] }];
const needsPartnerToken: Record<string, string[]>[] = [{ [PARTNER]: [] }];

const SCHEME_DESCRIPTION =
  'A token of a session that is bound to a key is sent as `Authorization: DPoP <token>`, with a proof for each request in the header `DPoP` (RFC 9449): `htm` and `htu` name the request, `ath` is the base64url SHA-256 of the token. It is rejected as a bearer token.';

const PARTNER_DESCRIPTION =
  'A JWT that a server of the partner signs with its registered Ed25519 key (EdDSA): header `typ` `florin-service+jwt` and `kid` the `clientId` of the key, or the name under which the operator registered it; claims `iss` and `sub` the same, `aud` `events`, `scope`, `iat`, and `exp` at most 300 seconds later. The guide [Partners](/docs/guides/partners) has samples.';

const NEEDS = {
  public: '',
  wallet: 'Requires a wallet token or a user token.',
  user: 'Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.',
  partner: 'Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.',
  page: 'Requires a page of this origin.',
} as const;

const securityOf = ({ policy }: Route): Record<string, string[]>[] => {
  if (policy === 'public') return [];
  return policy === 'partner' ? needsPartnerToken : needsToken;
};

const requestBodyOf = ({ operationId }: Route, schema: NonNullable<Route['body']>) => ({
  required: true,
  content: { 'application/json': { schema, example: EXAMPLES[operationId]?.request } },
});

/** The schema of the data by the name of the event, for clients: OpenAPI 3.1 has no words for streams. */
const eventsOf = (schemas: NonNullable<Route['eventStream']>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { $ref: `#/components/schemas/${schema.meta()?.id ?? ''}` }]));

const operationOf = (route: Route, shared: ReturnType<typeof sharedResponses>): ZodOpenApiOperationObject => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: [route.description, NEEDS[route.policy]].filter(Boolean).join(' '),
  security: securityOf(route),
  requestParams: {
    ...(route.params === undefined ? {} : { path: route.params }),
    ...(route.query === undefined ? {} : { query: route.query }),
  },
  ...(isIdempotent(route) ? { parameters: [idempotencyKey] } : {}),
  ...(route.acceptsProof === true ? { parameters: [proofHeader] } : {}),
  ...(route.eventStream === undefined ? {} : { parameters: [lastEventId] }),
  ...(route.webhook === undefined ? {} : { parameters: [signatureHeader(route.webhook.signatureHeader)] }),
  ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, route.body) }),
  responses: responsesOf(route, shared),
  ...(route.eventStream === undefined ? {} : { 'x-events': eventsOf(route.eventStream) }),
});

/** Descriptions of the tags. */
const TAG_DESCRIPTIONS: Readonly<Record<Tag, string>> = {
  Auth: 'Sign-in with a wallet, sessions and their tokens, codes by e-mail.',
  User: 'Registration, the profile, wallets, onboarding, export and erasure.',
  Terms: 'The terms of the program, and their acceptance.',
  'Source of Funds': 'The questions about the source of funds.',
  Phone: 'The phone number of the cardholder.',
  'User Account': 'The account, its balances and its Safe.',
  Cards: 'Cards, their limits and controls, and what was paid with them.',
  'User Movements': 'Deposits, withdrawals and the statement.',
  Ledger: 'Signed heads of the journal and proofs of reserves, which anyone can check.',
  Partners: 'The keys with which servers of partners sign their tokens, and what they read of the partner’s users.',
  Events: 'Events, complete and in order: to a partner’s users, or to the user.',
  Notifications: 'Devices that show notifications, and what users want to be told of.',
  Webhooks: 'Endpoints of a partner to which events are delivered.',
  KYC: 'The identity check.',
  PCI: 'Card numbers, security codes and PINs, encrypted for a key of the app.',
  '3DS': 'Challenges of card payments, and the cardholder’s decisions.',
  Health: 'Probes, and what this deployment offers.',
  Sandbox: 'Actions of outside systems: the card network, the chain, the identity check. Only in a sandbox.',
};

const INFO = {
  title: 'User Service',
  version: '0.0.0',
  description:
    'User-facing API of a card-issuing and payments platform: sign-in, registration, cards, account, balances, movements and 3DS challenges. `GET /errors` lists every error code with its cause, its remedy and whether the same request may be repeated.',
};

/**
 * Reports whether programs in other languages understand a pattern: the regular expressions of Python have no classes of Unicode, those of Go no look-around. Another
 * pattern is in the document as `x-pattern`, for readers who have ECMAScript's (with the flag `u`).
 */
const isPortable = (pattern: string): boolean => !/\\p\{|\(\?[=!<]/i.test(pattern);

/**
 * Builds the OpenAPI 3.1 document of the served routes. It cannot drift, because routing and validation use the same declarations.
 * @param support where people get help, the document's contact
 */
export const createOpenApiDocument = ({ routes, byPath }: Registry, support: Deployment['support'] = {}) => {
  const shared = sharedResponses(routes);
  const paths: ZodOpenApiPathsObject = {};
  for (const [path, atPath] of byPath) paths[path] = Object.fromEntries(atPath.map((route) => [route.method, operationOf(route, shared)]));
  const used = new Set(routes.map(({ tag }) => tag));
  return createDocument(
    {
      openapi: '3.1.0',
      info: Object.keys(support).length === 0 ? INFO : { ...INFO, contact: support },
      servers: [{ url: '/' }],
      tags: TAGS.filter((tag) => used.has(tag)).map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
      security: needsToken,
      paths,
      webhooks: createWebhooks(),
      components: {
        schemas: { Error: simpleError, ValidationError: validationError },
        responses: shared,
        headers: HEADERS,
        securitySchemes: {
          [BEARER]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: SCHEME_DESCRIPTION },
          [PARTNER]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: PARTNER_DESCRIPTION },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Of a response, and of a time, the format suffices: zod's pattern for it is long.
        if (jsonSchema.format !== undefined && (io === 'output' || jsonSchema.format.startsWith('date'))) delete jsonSchema.pattern;
        const { pattern } = jsonSchema;
        if (pattern !== undefined && !isPortable(pattern)) {
          delete jsonSchema.pattern;
          Object.assign(jsonSchema, { 'x-pattern': pattern });
        }
        // Responses may gain fields, so the document must not rule them out.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
};
