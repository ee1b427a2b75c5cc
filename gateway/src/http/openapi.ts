import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { simpleError, validationError } from '../schemas/errors.ts';
import { isIdempotent, type Route, TAGS } from './define-route.ts';
import { responsesOf } from './openapi-responses.ts';
import type { Registry } from './registry.ts';

const BEARER = 'bearerAuth';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'Any unguessable text of the client, a UUID for example. The same key and content within 24 hours repeats the first answer with `Idempotency-Replayed: true`.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header' as const,
  required: false,
  description: 'The `id` of the last event that was read, as browsers send it: the stream goes on after it.',
  schema: { type: 'string' as const, maxLength: 64 },
};

const signatureHeader = (name: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description:
    '`t=<seconds since 1970>,v1=<hex of HMAC-SHA256 over "<t>.<body>">`, with one `v1` or several; `t` at most five minutes away.',
  schema: { type: 'string' as const, maxLength: 1024 },
});

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const HEADERS = {
  'X-Request-Id': text("The request's id; the caller's own when it is 1 to 128 of A-Z a-z 0-9 . _ : -"),
  'WWW-Authenticate': text('Always `Bearer`'),
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } },
  RateLimit: text('What is left, by limit (draft-ietf-httpapi-ratelimit-headers)'),
  'RateLimit-Policy': text('The limits (draft-ietf-httpapi-ratelimit-headers)'),
};

const needsToken: Record<string, string[]>[] = [{ [BEARER]: [] }];

const NEEDS = { public: '', wallet: 'Needs a wallet or user token.', user: 'Needs a user token.' } as const;

const operationOf = (route: Route): ZodOpenApiOperationObject => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: [route.description, NEEDS[route.policy]].filter(Boolean).join(' '),
  security: route.policy === 'public' ? [] : needsToken,
  requestParams: {
    ...(route.params === undefined ? {} : { path: route.params }),
    ...(route.query === undefined ? {} : { query: route.query }),
  },
  ...(isIdempotent(route) ? { parameters: [idempotencyKey] } : {}),
  ...(route.eventStream === true ? { parameters: [lastEventId] } : {}),
  ...(route.webhook === undefined ? {} : { parameters: [signatureHeader(route.webhook.signatureHeader)] }),
  ...(route.body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
  responses: responsesOf(route),
});

const INFO = {
  title: 'User Service',
  version: '0.0.0',
  description:
    'User-facing API of a card-issuing and payments platform: registration, phone, virtual cards, account, balances, movements, 3DS challenges.',
};

/**
 * The OpenAPI 3.1 document of exactly the routes that are served: it cannot drift, because routing and validation use the same
 * declarations.
 */
export const createOpenApiDocument = ({ routes, byPath }: Registry) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const [path, atPath] of byPath) paths[path] = Object.fromEntries(atPath.map((route) => [route.method, operationOf(route)]));
  const sandbox = routes.some(({ sandboxOnly }) => sandboxOnly === true);
  return createDocument(
    {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/' }],
      tags: TAGS.filter((tag) => sandbox || tag !== 'Sandbox').map((name) => ({ name })),
      security: needsToken,
      paths,
      components: {
        schemas: { Error: simpleError, ValidationError: validationError },
        headers: HEADERS,
        securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // The format says it; zod's pattern for it is a line long.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        // Answers may gain fields: clients must not be told otherwise.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
};
