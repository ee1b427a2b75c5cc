import { Language } from '@florin/proto/notifications/v1/notification_service';
import { onBehalfOf, withinRequest } from '@florin/rpc/client';
import { createWords } from '@florin/rpc/contract';
import type { Logger } from '@florin/rpc/observe';
import type { Request, Response } from 'express';
import { createOwnCall } from '../clients/own-calls.ts';
import { presentedToken } from '../proofs/presented-token.ts';
import { checkAnswer } from './check-answer.ts';
import { type Delivery, isReply, type Route, type RouteCall } from './define-route.ts';
import type { PageSession } from './page-session.ts';
import type { RouteInput } from './parse-input.ts';
import type { Policy, TokenCaller } from './policy.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import type { Answer } from './send.ts';
import type { Serving } from './serving.ts';

const MAX_USER_AGENT_LENGTH = 256;
const MAX_EVENT_ID_LENGTH = 64;

/** English is the first, which a header that accepts all of them gets. */
const LANGUAGES = createWords(Language).all;

const NO_DELIVERY: Delivery = { body: new Uint8Array(), signature: '' };

/** An admitted and validated request. */
export type Prepared = {
  caller: TokenCaller | undefined;
  /** The session of the page that sent the request, on a route for pages. */
  page?: PageSession | undefined;
  input: RouteInput;
  /** Returns the key of the request, always the same. */
  requestKey: () => string;
  delivery?: Delivery | undefined;
  /** Thumbprint of a proven key. */
  proofKey?: string | undefined;
};

const NEVER = new AbortController().signal;

/** Aborts when the client disconnects. Only reads are aborted; a mutation runs to its end. */
export const hangUpSignal = (route: Route, response: Response): AbortSignal => {
  if (route.method !== 'get') return NEVER;
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
};

/**
 * The handler's view of a request. Members that few handlers need are made on first use.
 * A class: see scripts/lint/no-object-accessors.grit.
 */
class PreparedCall implements RouteCall<Policy> {
  readonly caller: RouteCall<Policy>['caller'];
  readonly upstream: RouteCall<Policy>['upstream'];
  readonly requestId: string;
  readonly now: () => Date;
  readonly asGateway: RouteCall<Policy>['asGateway'];
  readonly asCaller: RouteCall<Policy>['asCaller'];
  readonly deployment: RouteCall<Policy>['deployment'];
  readonly partnerRequests: RouteCall<Policy>['partnerRequests'];
  readonly delivery: Delivery;
  readonly proofKey: string;
  readonly lastEventId: string;
  readonly signal: AbortSignal;
  readonly revoked: (sessionId: string) => void;
  readonly #request: Request;
  readonly #context: RequestContext;
  readonly #requestKey: () => string;

  constructor(
    request: Request,
    context: RequestContext,
    serving: Serving,
    { caller, page, requestKey, delivery = NO_DELIVERY, proofKey = '' }: Omit<Prepared, 'input'>,
    signal: AbortSignal,
  ) {
    const { requestId } = context;
    const options = signal === NEVER ? {} : { signal };
    this.#request = request;
    this.#context = context;
    this.#requestKey = requestKey;
    this.caller = page ?? caller;
    this.upstream = serving.upstream;
    this.requestId = requestId;
    this.now = serving.runtime.now;
    this.asGateway = createOwnCall({ ...withinRequest({ requestId }), ...options });
    this.asCaller =
      caller === undefined ? undefined : { ...onBehalfOf({ token: presentedToken(request.get('authorization')), requestId }), ...options };
    this.deployment = serving.deployment;
    this.partnerRequests = serving.partnerRequests;
    this.delivery = delivery;
    this.proofKey = proofKey;
    this.lastEventId = (request.get('last-event-id') ?? '').slice(0, MAX_EVENT_ID_LENGTH);
    this.signal = signal;
    this.revoked = (sessionId) => {
      serving.revoked.add([sessionId]);
    };
  }

  get requestKey(): string {
    return this.#requestKey();
  }

  /** Finding the address behind proxies takes longer than all the rest. */
  get peer(): RouteCall<Policy>['peer'] {
    return { ip: this.#request.ip ?? '', userAgent: (this.#request.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH) };
  }

  get language(): string {
    return this.#request.acceptsLanguages(...LANGUAGES) || 'en';
  }

  get logger(): Logger {
    return this.#context.logger;
  }
}

/** Builds the handler's view of a request. @param signal aborts the handler's calls to services */
export const callOf = (
  request: Request,
  response: Response,
  serving: Serving,
  prepared: Omit<Prepared, 'input'>,
  signal: AbortSignal,
): RouteCall<Policy> => new PreparedCall(request, contextOf(response), serving, prepared, signal);

/** Calls the route's handler. @throws CodedError the codes that the handler and the services behind it raise */
export const runHandler = async (
  route: Route,
  request: Request,
  response: Response,
  serving: Serving,
  { input, ...who }: Prepared,
): Promise<Answer> => {
  const answer = await route.handler(input, callOf(request, response, serving, who, hangUpSignal(route, response)));
  const { status, body } = isReply(answer) ? answer : { status: 200, body: answer };
  if (serving.validateAnswers) checkAnswer(route, status, body);
  return { status, body };
};
