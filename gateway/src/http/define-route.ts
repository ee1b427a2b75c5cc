import type { CallOptions } from '@connectrpc/connect';
import type { ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { z } from 'zod';
import type { Upstream } from '../clients/upstream.ts';
import type { CallerOf, Policy } from './policy.ts';

/** Tags of the spec, and one for what exists in sandboxes only. */
export const TAGS = [
  'Auth',
  'User',
  'Terms',
  'Source of Funds',
  'Phone',
  'User Account',
  'Cards',
  'User Movements',
  'KYC',
  'PCI',
  '3DS',
  'Health',
  'Sandbox',
] as const;
export type Tag = (typeof TAGS)[number];

export type RouteMethod = 'get' | 'post' | 'patch' | 'delete';

/** Answers by status. 200 is what a handler answers unless it says otherwise with `answerWith`. */
export type Answers = { 200: z.ZodType } & { [status: number]: z.ZodType };

declare const none: unique symbol;
/** No part of this kind in the request. */
export type None = z.ZodType<typeof none>;

/** What an outside system delivered: the bytes of the body, and what its signature header says. */
export type Delivery = { body: Uint8Array; signature: string };

/** What a handler knows about the request besides its validated parts. */
export type RouteCall<P extends Policy> = {
  caller: CallerOf<P>;
  upstream: Upstream;
  requestId: string;
  /**
   * Id (UUID) of what this request asks for, for RPCs that take one. With an Idempotency-Key every repeat has the same, so that a
   * service recognizes a retry even when the gateway was killed in between.
   */
  requestKey: string;
  /** The gateway's clock. */
  now: () => Date;
  /** Call options with the caller's own token, which the service verifies again. On public routes there is none to hand on. */
  asCaller: CallOptions;
  /** Call options for calls in the gateway's own name. */
  asGateway: CallOptions;
  peer: { ip: string; userAgent: string };
  /** What arrived at a webhook; empty on every other route. */
  delivery: Delivery;
  /** What the Last-Event-ID header says, empty without one. */
  lastEventId: string;
  /** Says that a session has ended: this gateway refuses its tokens from now on, without waiting to be told. */
  revoked: (sessionId: string) => void;
  logger: Logger;
};

/** One event of a stream (WHATWG HTML, section 9.2). Its data is sent as JSON in one line. */
export type ServerSentEvent<T = unknown> = {
  /** What a client that comes back sends as Last-Event-ID; no line breaks. */
  id: string;
  event: string;
  data: T;
};

/** A second form of an answer 200: a table, as CSV (RFC 4180). */
export type CsvForm<I, C> = {
  /** Suggested to whoever saves it. */
  fileName: string;
  /** What the table holds, for the document. */
  description: string;
  /** The first row names the columns. All are held in memory: `rows` bounds how many there are. */
  rows: (input: I, call: C) => Promise<readonly (readonly string[])[]>;
};

type Input<Params, Query, Body> = { params: z.output<Params>; query: z.output<Query>; body: z.output<Body> };

export type RouteDeclaration<P extends Policy, Params, Query, Body, A extends Answers> = {
  /** Unique name of the operation, in the document and in the keys of idempotency. */
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
  /** Codes that this operation raises, besides those that its shape brings along (see `declaredCodes`). */
  errors: readonly ErrorCode[];
  /** Statuses that differ from the platform's table on this operation. */
  statusOf?: Partial<Record<ErrorCode, number>>;
  /** `auth` counts per IP address and is stricter; `none` is for probes. Default `general`. */
  rateLimit?: 'general' | 'auth' | 'none';
  /** Answers may be kept by caches for this long. Default: never, `no-store`. */
  publicForSeconds?: number;
  /**
   * Answers 200 with `text/event-stream`: the handler answers an iterable of events whose data fits `answers[200]`. It is ended when
   * the caller hangs up, the caller's token expires or session ends, or the gateway stops. Errors before the first event are answered like any other.
   */
  eventStream?: true;
  /**
   * Takes signed deliveries of an outside system: the handler gets the body unread in `call.delivery`, because what was signed are its
   * bytes. `body` is for the document only.
   */
  webhook?: { signatureHeader: string };
  /** The same as CSV, for callers whose Accept header prefers `text/csv`. */
  csv?: CsvForm<Input<Params, Query, Body>, RouteCall<P>>;
  /** Exists only with SANDBOX=true. */
  sandboxOnly?: boolean;
  handler: (
    input: Input<Params, Query, Body>,
    call: RouteCall<P>,
  ) => Promise<z.output<A[200]> | Reply> | z.output<A[200]> | Reply | AsyncIterable<ServerSentEvent<z.output<A[200]>>>;
};

/** An answer with a status of its own. */
export class Reply {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

export const answerWith = (status: number, body: unknown): Reply => new Reply(status, body);

/** A route whose types have been checked; the serving side treats all alike. */
export type Route = Omit<RouteDeclaration<Policy, z.ZodObject, z.ZodObject, z.ZodType, Answers>, 'handler' | 'csv'> & {
  csv?: CsvForm<{ params: unknown; query: unknown; body: unknown }, RouteCall<Policy>>;
  handler: (input: { params: unknown; query: unknown; body: unknown }, call: RouteCall<Policy>) => Promise<unknown>;
};

/**
 * Declares an operation once. Routing, validation, authentication, the error list and the OpenAPI document all come from this
 * declaration, so that they cannot disagree. Without a policy it is a type error.
 */
export const defineRoute = <
  P extends Policy,
  A extends Answers,
  Params extends z.ZodObject | None = None,
  Query extends z.ZodObject | None = None,
  Body extends z.ZodType = None,
>(
  declaration: RouteDeclaration<P, Params, Query, Body, A>,
): Route => ({
  ...(declaration as unknown as Route),
  handler: async (input, call) => declaration.handler(input as Input<Params, Query, Body>, call as RouteCall<P>),
});

/** Whether an Idempotency-Key means something here: the caller is known and something may change. */
export const isIdempotent = ({ method, policy }: Pick<Route, 'method' | 'policy'>): boolean => method !== 'get' && policy !== 'public';
