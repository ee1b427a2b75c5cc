import type { DescMethodServerStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id.ts';
import { beginAudit, rpcOf } from './audit.ts';
import { type Bound, bind } from './bind.ts';
import { type Admitted, recordCall, type Surroundings, startCall } from './call-frame.ts';
import type { BeginCall, BeginStream } from './exchange.ts';
import type { Method, Methods, StreamMethod } from './method.ts';
import { requireOwnUser } from './require-own-user.ts';
import { beginStream } from './serve-stream.ts';

/** A unary method, ready to be served. */
export type UnaryMethod = { desc: DescMethodUnary; begin: BeginCall };

/** A server-streaming method, ready to be served. */
export type StreamingMethod = { desc: DescMethodServerStreaming; begin: BeginStream };

/** A contract together with its methods, ready to be served. */
export type ServiceImplementation = {
  service: DescService;
  unary: (surroundings: Surroundings) => readonly UnaryMethod[];
  streams: (surroundings: Surroundings) => readonly StreamingMethod[];
};

const beginUnary =
  (desc: DescMethodUnary, { method, policy, judge, answerOf }: Bound<Method<unknown, unknown>>, surroundings: Surroundings): BeginCall =>
  ({ headers, peer }) => {
    const rpc = rpcOf(desc);
    const { requestId, served, recorded, ...frame } = startCall(policy, rpc, surroundings, (name) => headers[name]?.toString(), peer);
    const fail = (thrown: unknown, aborted: boolean): never => {
      const error = answerOf(toCodedError(thrown), { logger: surroundings.logger, strict: surroundings.strictErrors === true });
      recordCall(surroundings, recorded(aborted ? { aborted } : {}), error);
      throw toWire(error);
    };
    let admission: Promise<Admitted> | undefined;
    const admit = (): Promise<Admitted> => {
      admission ??= served.run(frame.admit).catch((thrown: unknown) => fail(thrown, false));
      return admission;
    };
    return {
      headers: { [REQUEST_ID_HEADER]: requestId },
      anonymous: policy.access === 'public',
      admit,
      run: (message, control) =>
        served.run(async () => {
          const call = frame.callOf(await admit(), control);
          try {
            const recordOutcome = await beginAudit(surroundings, desc, message, call);
            // The outcome, success or failure, is recorded before it is returned.
            let response: unknown;
            try {
              judge(message);
              await requireOwnUser(policy, call.caller, message, surroundings.belongsToPartner);
              response = await method.invoke(message, call);
            } catch (thrown) {
              await recordOutcome(toCodedError(thrown).code);
              throw thrown;
            }
            await recordOutcome('OK');
            recordCall(surroundings, recorded(), undefined);
            return response as Record<string, unknown>;
          } catch (thrown) {
            return fail(thrown, control.disconnected());
          }
        }),
    };
  };

/**
 * Binds methods to a contract. Every RPC of the contract must have rules, and a method that is written for its callers.
 * @throws Error when a method is missing, is unary where the contract streams or the reverse, or does not fit the rules of its contract
 */
export const implement = <S extends DescService>(service: S, methods: Methods<S>): ServiceImplementation => {
  const table = methods as Record<string, Method<unknown, unknown> | StreamMethod<unknown, unknown> | undefined>;
  const unary: { desc: DescMethodUnary; bound: Bound<Method<unknown, unknown>> }[] = [];
  const streaming: { desc: DescMethodServerStreaming; bound: Bound<StreamMethod<unknown, unknown>> }[] = [];
  for (const desc of service.methods) {
    const { localName, methodKind } = desc;
    const method = table[localName];
    if (method === undefined) throw new Error(`${rpcOf(desc)} has no method`);
    const kind = 'open' in method ? 'server_streaming' : 'unary';
    if (kind !== methodKind) throw new Error(`${rpcOf(desc)} is ${methodKind}, its method is ${kind}`);
    if ('open' in method) streaming.push({ desc: desc as DescMethodServerStreaming, bound: bind(desc, method) });
    else unary.push({ desc: desc as DescMethodUnary, bound: bind(desc, method) });
  }
  return {
    service,
    unary: (surroundings) => unary.map(({ desc, bound }) => ({ desc, begin: beginUnary(desc, bound, surroundings) })),
    streams: (surroundings) => streaming.map(({ desc, bound }) => ({ desc, begin: beginStream(desc, bound, surroundings) })),
  };
};
