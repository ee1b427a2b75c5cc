import type { CallOptions } from '@connectrpc/connect';
import type { ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { z } from 'zod';
import type { OwnCall } from '../clients/own-calls.ts';
import type { Upstream } from '../clients/upstream.ts';
import type { PartnerRequests } from '../partner-requests/partner-requests.ts';
import { closed } from './closed-schema.ts';
import { type CallerOf, needsToken, type Policy } from './policy.ts';

/** The tags of the specification, and one for operations that exist only in a sandbox. */
export const TAGS = [
  'Auth',
  'User',
  'Terms',
  'Source of Funds',
  'Phone',
  'User Account',
  'Cards',
  'User Movements',
  'Ledger',
  'Partners',
  'Events',
  'Notifications',
  'Webhooks',
  'KYC',
  'PCI',
  '3DS',
  'Health',
  'Sandbox',
] as const;
export type Tag = (typeof TAGS)[number];

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Response schemas by status. A handler returns 200 unless it uses `answerWith`. */
export type Answers = { 200: z.ZodType } & { [status: number]: z.ZodType };

declare const none: unique symbol;
/** The request has no such part. */
export type None = z.ZodType<typeof none>;

/** A webhook delivery: the bytes of the body and the content of the signature header. */
export type Delivery = { body: Uint8Array; signature: string };

/** Settings of the operator that clients may know. */
export type Deployment = {
  sandbox: boolean;
  /** Requests that a caller, and sign-in and registration of an IP address, may make in a minute. */
  requestsPerMinute: { caller: number; signIn: number };
  support: { url?: string; email?: string };
};

/** The facts of a request besides its validated parts. */
export type RouteCall<P extends Policy> = {
  caller: CallerOf<P>;
  upstream: Upstream;
  requestId: string;
  /**
   * UUID of the object that this request creates, for RPCs that take one. All requests with the same Idempotency-Key share it, so
   * that a service recognizes a retry even if the gateway was killed in between.
   */
  requestKey: string;
  /** The gateway's clock. */
  now: () => Date;
  /** Call options that carry the caller's own token, which the service verifies again. Absent on routes without a token. */
  asCaller: P extends 'public' | 'page' ? undefined : CallOptions;
  /** Makes a call with the gateway's own token. */
  asGateway: OwnCall;
  peer: { ip: string; userAgent: string };
  /** The language that the caller prefers (Accept-Language: RFC 9110, section 12.5.4) among those that people are written in. */
  language: string;
  /** Settings of the operator that clients may know. */
  deployment: Deployment;
  /** The recent requests of partners. */
  partnerRequests: Pick<PartnerRequests, 'list'>;
  /** The delivery of a webhook; empty on other routes. */
  delivery: Delivery;
  /** Thumbprint of the key whose proof the request carried, on a route that accepts one; otherwise empty. */
  proofKey: string;
  /** Content of the Last-Event-ID header, empty without one. */
  lastEventId: string;
  /** Aborts when the client disconnects, and when an event stream has to end: its reason is then a `StreamEnd`. */
  signal: AbortSignal;
  /** Makes this gateway reject the tokens of an ended session at once, before the revocation reaches it. */
  revoked: (sessionId: string) => void;
  logger: Logger;
};

/** Why this side ends an event stream: the token expired or its session ended, the gateway stops, the client reads too slowly. */
export const STREAM_ENDS = ['TOKEN_ENDED', 'STOPPING', 'TOO_SLOW'] as const;
export type StreamEnd = (typeof STREAM_ENDS)[number];

/** One event of a stream (WHATWG HTML, section 9.2). Its data is sent as JSON in one line. */
export type ServerSentEvent<T = unknown> = {
  /** Sent back as Last-Event-ID by a client that reconnects; no line breaks. */
  id: string;
  event: string;
  data: T;
};

/** A second representation of the 200 response: a table as CSV (RFC 4180). */
export type CsvForm<I, C> = {
  /** Suggested name for the saved file. */
  fileName: (input: I) => string;
  /** Description of the table in the document. */
  description: string;
  /** Names of the columns, the first row of the table. */
  columns: readonly string[];
  /** The other rows, a page at a time. The next page is not requested before the reader has received this one. */
  pages: (input: I, call: C) => AsyncIterable<readonly (readonly string[])[]>;
};

type Input<Params, Query, Body> = { params: z.output<Params>; query: z.output<Query>; body: z.output<Body> };

export type RouteDeclaration<P extends Policy, Params, Query, Body, A extends Answers> = {
  /** Unique name of the operation, in the document and in idempotency records. */
  operationId: string;
  method: RouteMethod;
  /** OpenAPI path template, for example /3ds/challenges/{challengeId}. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  policy: P;
  params?: Params;
  query?: Query;
  body?: Body;
  answers: A;
  /** Codes that this operation raises, besides those implied by its policy, request and limits (see `declaredCodes`). */
  errors: readonly ErrorCode[];
  /** Statuses of codes that differ on this operation from the platform's table. */
  statusOf?: Partial<Record<ErrorCode, number>>;
  /** `auth` counts per IP address and is stricter; `none` is for probes. Default `general`. */
  rateLimit?: 'general' | 'auth' | 'none';
  /** Name of the file under which browsers save the response. Default: none, it is read by programs. */
  savedAs?: string;
  /** How long caches may keep the response, in seconds. Default: not at all (`no-store`). */
  publicForSeconds?: number;
  /**
   * Returns 200 with `text/event-stream`: the handler returns an iterable of events whose data fits `answers[200]`. When `call.signal`
   * aborts (the client disconnects or is too slow, the caller's token expires, the session ends, the gateway stops), the iterable may
   * return a last event, and ends. Errors before the first event are ordinary error responses. The value is the schema of the data by
   * the name of the event; `*` stands for events that are named by their type.
   */
  eventStream?: Readonly<Record<string, z.ZodType>>;
  /**
   * Accepts signed deliveries of an outside system: the handler gets the unparsed body in `call.delivery`, because the signature
   * covers its bytes. `body` only documents it.
   */
  webhook?: { signatureHeader: string };
  /** Verifies a DPoP proof if the request has one, and passes its key to the handler (RFC 9449, section 5). For public routes. */
  acceptsProof?: true;
  /** The same data as CSV, for callers whose Accept header prefers `text/csv`. */
  csv?: CsvForm<Input<Params, Query, Body>, RouteCall<P>>;
  /** Ignores unknown fields of its body, as the User Service API specifies for the operations that it describes. Others reject them. */
  ignoresUnknownFields?: true;
  /** Exists only with SANDBOX=true. */
  sandboxOnly?: boolean;
  handler: (
    input: Input<Params, Query, Body>,
    call: RouteCall<P>,
  ) => Promise<z.output<A[200]> | Reply> | z.output<A[200]> | Reply | AsyncIterable<ServerSentEvent<z.output<A[200]>>>;
};

const reply = Symbol('reply');

/** A response with an explicit status. */
export type Reply = { readonly [reply]: true; readonly status: number; readonly body: unknown };

export const answerWith = (status: number, body: unknown): Reply => ({ [reply]: true, status, body });

export const isReply = (answer: unknown): answer is Reply => typeof answer === 'object' && answer !== null && reply in answer;

/** A type-checked route, in the form that all routes are served in. */
export type Route = Omit<RouteDeclaration<Policy, z.ZodObject, z.ZodObject, z.ZodType, Answers>, 'handler' | 'csv'> & {
  csv?: CsvForm<{ params: unknown; query: unknown; body: unknown }, RouteCall<Policy>>;
  handler: (input: { params: unknown; query: unknown; body: unknown }, call: RouteCall<Policy>) => unknown;
};

/**
 * Declares an operation once. Routing, validation, authentication, the list of errors and the OpenAPI document all derive from this
 * declaration, so they cannot disagree. Omitting the policy is a type error. Unknown query parameters and fields are rejected: a misspelt
 * one would otherwise take effect as if it were left out.
 */
export const defineRoute = <
  P extends Policy,
  A extends Answers,
  Params extends z.ZodObject | None = None,
  Query extends z.ZodObject | None = None,
  Body extends z.ZodType = None,
>(
  declaration: RouteDeclaration<P, Params, Query, Body, A>,
): Route => {
  const route = declaration as unknown as Route;
  // The sender of a delivery is configured elsewhere, and its body is validated by the service that can verify its signature.
  if (route.webhook !== undefined) return route;
  const isOpen = route.body === undefined || route.ignoresUnknownFields === true;
  return {
    ...route,
    query: closed(route.query ?? z.object({})) as z.ZodObject,
    ...(isOpen ? {} : { body: closed(route.body as z.ZodType) }),
  };
};

/** Reports whether the operation could have a body and has none. */
export const hasNoBody = ({ method, body, webhook }: Pick<Route, 'method' | 'body' | 'webhook'>): boolean =>
  method !== 'get' && body === undefined && webhook === undefined;

/** Reports whether the operation honours an Idempotency-Key: it has a caller and may change something. */
export const isIdempotent = ({ method, policy }: Pick<Route, 'method' | 'policy'>): boolean => method !== 'get' && needsToken(policy);
