import type { DescMethod, DescMethodServerStreaming, DescService, Message } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id/index.ts';
import { beginAudit } from './audit.ts';
import { beginCall, logCall, type Surroundings } from './call-frame.ts';
import type { Method, Methods, StreamMethod } from './method.ts';
import { kPeerNames } from './peer-context.ts';
import { serveStream } from './serve-stream.ts';

/** A contract together with its methods, ready to be served. */
export type ServiceImplementation = {
  service: DescService;
  /** Registers the methods. */
  register: (router: ConnectRouter, surroundings: Surroundings) => void;
};

const wrap = (rpc: string, desc: DescMethod, method: Method<unknown, unknown>, surroundings: Surroundings) => {
  return async (request: unknown, context: HandlerContext): Promise<unknown> => {
    const header = (name: string) => context.requestHeader.get(name);
    const { requestId, logger, fields, admit } = beginCall(method.policy, rpc, surroundings, header, context.values.get(kPeerNames));
    context.responseHeader.set(REQUEST_ID_HEADER, requestId);
    try {
      const call = await admit(context.signal);
      const recordOutcome = await beginAudit(surroundings.audit, rpc, desc.input, request as Message, call);
      // The outcome, success or failure, is recorded before it is returned.
      let response: unknown;
      try {
        response = await method.invoke(request, call);
      } catch (thrown) {
        await recordOutcome(toCodedError(thrown).code);
        throw thrown;
      }
      await recordOutcome('OK');
      logCall(logger, fields(), undefined);
      return response;
    } catch (thrown) {
      const error = toCodedError(thrown);
      logCall(logger, fields(), error);
      throw toWire(error);
    }
  };
};

/**
 * Binds methods to a contract. Every RPC of the contract must have one, and with it a policy.
 * @throws Error when a method is missing, or is unary where the contract streams or the reverse
 */
export const implement = <S extends DescService>(service: S, methods: Methods<S>): ServiceImplementation => {
  const table = methods as Record<string, Method<unknown, unknown> | StreamMethod<unknown, unknown> | undefined>;
  const bound = service.methods.map((desc) => {
    const { localName, methodKind } = desc;
    const method = table[localName];
    if (method?.policy === undefined) throw new Error(`${service.typeName}/${localName} has no method with a policy`);
    const kind = 'open' in method ? 'server_streaming' : 'unary';
    if (kind !== methodKind) throw new Error(`${service.typeName}/${localName} is ${methodKind}, its method is ${kind}`);
    return { desc, method };
  });
  return {
    service,
    register: (router, surroundings) => {
      const handlers = bound.map(({ desc, method }) => {
        const rpc = `${service.typeName}/${desc.name}`;
        const handler =
          'open' in method
            ? serveStream(rpc, desc as DescMethodServerStreaming, method, surroundings)
            : wrap(rpc, desc, method, surroundings);
        return [desc.localName, handler] as const;
      });
      router.service(service, Object.fromEntries(handlers) as Partial<ServiceImpl<S>>);
    },
  };
};
