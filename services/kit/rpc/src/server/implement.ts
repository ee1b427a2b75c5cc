import type { DescMethodServerStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { toCodedError, toWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id.ts';
import { beginAudit } from './audit.ts';
import { type Admitted, recordCall, type Surroundings, startCall } from './call-frame.ts';
import type { BeginCall, BeginStream } from './exchange.ts';
import { withKeyField } from './key-field.ts';
import type { Method, Methods, StreamMethod } from './method.ts';
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
  (desc: DescMethodUnary, method: Method<unknown, unknown>, surroundings: Surroundings): BeginCall =>
  ({ headers, peer }) => {
    const rpc = `${desc.parent.typeName}/${desc.name}`;
    const { requestId, served, recorded, ...frame } = startCall(
      method.policy,
      rpc,
      surroundings,
      (name) => headers[name]?.toString(),
      peer,
    );
    const fail = (thrown: unknown, aborted: boolean): never => {
      const error = toCodedError(thrown);
      recordCall(surroundings, recorded(aborted ? { aborted } : {}), error);
      throw toWire(withKeyField(error, desc.input));
    };
    let admission: Promise<Admitted> | undefined;
    const admit = (): Promise<Admitted> => {
      admission ??= served.run(frame.admit).catch((thrown: unknown) => fail(thrown, false));
      return admission;
    };
    return {
      headers: { [REQUEST_ID_HEADER]: requestId },
      anonymous: method.policy.access === 'public',
      admit,
      run: (message, control) =>
        served.run(async () => {
          const call = frame.callOf(await admit(), control);
          try {
            const recordOutcome = await beginAudit(surroundings.audit, rpc, desc.input, message, call);
            // The outcome, success or failure, is recorded before it is returned.
            let response: unknown;
            try {
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
 * Binds methods to a contract. Every RPC of the contract must have one, and with it a policy.
 * @throws Error when a method is missing, or is unary where the contract streams or the reverse
 */
export const implement = <S extends DescService>(service: S, methods: Methods<S>): ServiceImplementation => {
  const table = methods as Record<string, Method<unknown, unknown> | StreamMethod<unknown, unknown> | undefined>;
  const unary: { desc: DescMethodUnary; method: Method<unknown, unknown> }[] = [];
  const streaming: { desc: DescMethodServerStreaming; method: StreamMethod<unknown, unknown> }[] = [];
  for (const desc of service.methods) {
    const { localName, methodKind } = desc;
    const method = table[localName];
    if (method?.policy === undefined) throw new Error(`${service.typeName}/${localName} has no method with a policy`);
    const kind = 'open' in method ? 'server_streaming' : 'unary';
    if (kind !== methodKind) throw new Error(`${service.typeName}/${localName} is ${methodKind}, its method is ${kind}`);
    if ('open' in method) streaming.push({ desc: desc as DescMethodServerStreaming, method });
    else unary.push({ desc: desc as DescMethodUnary, method });
  }
  return {
    service,
    unary: (surroundings) => unary.map(({ desc, method }) => ({ desc, begin: beginUnary(desc, method, surroundings) })),
    streams: (surroundings) => streaming.map(({ desc, method }) => ({ desc, begin: beginStream(desc, method, surroundings) })),
  };
};
