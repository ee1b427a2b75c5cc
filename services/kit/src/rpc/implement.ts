import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import type { Authenticator } from '../auth/index.ts';
import { type CodedError, ERRORS, toCodedError, toWire } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { authorize } from './authorize.ts';
import type { Method, Methods } from './method.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts';

export type Surroundings = { authenticate: Authenticator; logger: Logger };

/** A contract together with its methods, ready to be served. */
export type ServiceImplementation = {
  service: DescService;
  register: (router: ConnectRouter, surroundings: Surroundings) => void;
};

const log = (logger: Logger, fields: { rpc: string; ms: number }, error: CodedError | undefined): void => {
  if (error === undefined) {
    logger.info(fields, 'rpc');
  } else if (ERRORS[error.code].http >= 500) {
    logger.error({ ...fields, error: error.code, err: error }, 'rpc failed');
  } else {
    logger.info({ ...fields, error: error.code }, 'rpc refused');
  }
};

const wrap = (rpc: string, method: Method<unknown, unknown>, { authenticate, logger }: Surroundings) => {
  return async (request: unknown, context: HandlerContext): Promise<unknown> => {
    const started = performance.now();
    const requestId = requestIdFrom(context.requestHeader.get(REQUEST_ID_HEADER));
    context.responseHeader.set(REQUEST_ID_HEADER, requestId);
    const child = logger.child({ requestId });
    const fields = () => ({ rpc, ms: Math.round((performance.now() - started) * 10) / 10 });
    try {
      const authorization = context.requestHeader.get('authorization');
      const caller = await authorize(method.policy, authenticate, authorization);
      const token = caller === undefined ? '' : (authorization ?? '').slice('Bearer '.length);
      const response = await method.invoke(request, { caller, requestId, signal: context.signal, logger: child, token });
      log(child, fields(), undefined);
      return response;
    } catch (thrown) {
      const error = toCodedError(thrown);
      log(child, fields(), error);
      throw toWire(error);
    }
  };
};

/**
 * Binds methods to a contract. Every RPC of the contract must have one, and with it a policy.
 * @throws Error at the start when one is missing
 */
export const implement = <S extends DescService>(service: S, methods: Methods<S>): ServiceImplementation => {
  const table = methods as Record<string, Method<unknown, unknown> | undefined>;
  for (const { localName } of service.methods) {
    if (table[localName]?.policy === undefined) throw new Error(`${service.typeName}/${localName} has no method with a policy`);
  }
  return {
    service,
    register: (router, surroundings) => {
      const handlers = Object.fromEntries(
        service.methods.map(({ name, localName }) => [
          localName,
          wrap(`${service.typeName}/${name}`, table[localName] as Method<unknown, unknown>, surroundings),
        ]),
      );
      router.service(service, handlers as Parameters<typeof router.service<S>>[1]);
    },
  };
};
