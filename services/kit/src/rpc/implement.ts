import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import type { Authenticator, Caller, RevokedSessions } from '../auth/index.ts';
import { type CodedError, ERRORS, toCodedError, toWire } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { authorize } from './authorize.ts';
import type { Call, Method, Methods, Policy, StreamMethod } from './method.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts';
import { endOfStream, until } from './stream-end.ts';

export type Surroundings = {
  authenticate: Authenticator;
  logger: Logger;
  /** Aborts when the server closes: unary calls run to their end, streams would never. */
  closing?: AbortSignal;
  /** Says when the session behind an open stream ends. */
  revoked?: Pick<RevokedSessions, 'onRevoked'>;
};

/** A contract together with its methods, ready to be served. */
export type ServiceImplementation = {
  service: DescService;
  register: (router: ConnectRouter, surroundings: Surroundings) => void;
};

type Fields = { rpc: string; ms: number; messages?: number; aborted?: true };

const log = (logger: Logger, fields: Fields, error: CodedError | undefined): void => {
  if (error === undefined) {
    logger.info(fields, 'rpc');
  } else if (ERRORS[error.code].http >= 500) {
    logger.error({ ...fields, error: error.code, err: error }, 'rpc failed');
  } else {
    logger.info({ ...fields, error: error.code }, 'rpc refused');
  }
};

/** What both kinds of method begin with: request id, logger, and who calls, established by the policy. */
const begin = (policy: Policy, rpc: string, { authenticate, logger }: Surroundings, context: HandlerContext) => {
  const started = performance.now();
  const requestId = requestIdFrom(context.requestHeader.get(REQUEST_ID_HEADER));
  context.responseHeader.set(REQUEST_ID_HEADER, requestId);
  const child = logger.child({ requestId });
  return {
    logger: child,
    fields: (): Fields => ({ rpc, ms: Math.round((performance.now() - started) * 10) / 10 }),
    admit: async (): Promise<Call<Caller | undefined>> => {
      const authorization = context.requestHeader.get('authorization');
      const caller = await authorize(policy, authenticate, authorization);
      const token = caller === undefined ? '' : (authorization ?? '').slice('Bearer '.length);
      return { caller, requestId, signal: context.signal, logger: child, token };
    },
  };
};

const wrap = (rpc: string, method: Method<unknown, unknown>, surroundings: Surroundings) => {
  return async (request: unknown, context: HandlerContext): Promise<unknown> => {
    const { logger, fields, admit } = begin(method.policy, rpc, surroundings, context);
    try {
      const response = await method.invoke(request, await admit());
      log(logger, fields(), undefined);
      return response;
    } catch (thrown) {
      const error = toCodedError(thrown);
      log(logger, fields(), error);
      throw toWire(error);
    }
  };
};

const wrapStream = (rpc: string, method: StreamMethod<unknown, unknown>, surroundings: Surroundings) => {
  return async function* (request: unknown, context: HandlerContext): AsyncGenerator<unknown> {
    const { logger, fields, admit } = begin(method.policy, rpc, surroundings, context);
    let messages = 0;
    let error: CodedError | undefined;
    let ended = false;
    try {
      const call = await admit();
      const end = endOfStream(call, surroundings);
      try {
        for await (const message of until(end.signal, () => method.open(request, { ...call, signal: end.signal }))) {
          messages += 1;
          yield message;
        }
        const why = end.reason();
        if (why !== undefined) throw why;
        ended = !context.signal.aborted;
      } finally {
        end.release();
      }
    } catch (thrown) {
      error = toCodedError(thrown);
      throw toWire(error);
    } finally {
      // Also reached when the caller hangs up and the generator is ended from outside.
      log(logger, { ...fields(), messages, ...(ended || error !== undefined ? {} : { aborted: true }) }, error);
    }
  };
};

/**
 * Binds methods to a contract. Every RPC of the contract must have one, and with it a policy.
 * @throws Error at the start when one is missing or of the other kind
 */
export const implement = <S extends DescService>(service: S, methods: Methods<S>): ServiceImplementation => {
  const table = methods as Record<string, Method<unknown, unknown> | StreamMethod<unknown, unknown> | undefined>;
  for (const { localName, methodKind } of service.methods) {
    const method = table[localName];
    if (method?.policy === undefined) throw new Error(`${service.typeName}/${localName} has no method with a policy`);
    const kind = 'open' in method ? 'server_streaming' : 'unary';
    if (kind !== methodKind) throw new Error(`${service.typeName}/${localName} is ${methodKind}, its method is ${kind}`);
  }
  return {
    service,
    register: (router, surroundings) => {
      const handlers = Object.fromEntries(
        service.methods.map(({ name, localName }) => {
          const method = table[localName] as Method<unknown, unknown> | StreamMethod<unknown, unknown>;
          const rpc = `${service.typeName}/${name}`;
          return [localName, 'open' in method ? wrapStream(rpc, method, surroundings) : wrap(rpc, method, surroundings)];
        }),
      );
      router.service(service, handlers as Parameters<typeof router.service<S>>[1]);
    },
  };
};
