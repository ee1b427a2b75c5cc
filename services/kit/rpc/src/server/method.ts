import type { DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller, ServiceCaller, UserCaller, WalletCaller } from '../auth/index.ts';
import type { Logger } from '../observe/index.ts';
import type { StreamLimits } from './call-slots.ts';

/** The context of a call, besides its request message. */
export type Call<C> = {
  caller: C;
  requestId: string;
  /** Aborts when the caller cancels or the deadline passes. */
  signal: AbortSignal;
  logger: Logger;
  /** The caller's own token, for calls to other services on the caller's behalf; empty on public methods. */
  token: string;
  /** Returns a header of the request, or null. */
  header: (name: string) => string | null;
};

type Handler<I, O, C> = (request: I, call: Call<C>) => Promise<O> | O;

/**
 * Returns a stream of messages. When `call.signal` aborts, the server ends the stream, and a generator's `finally` runs once its pending
 * wait settles. Waits in a handler should therefore observe the signal.
 */
type StreamHandler<I, O, C> = (request: I, call: Call<C>) => AsyncIterable<O>;

/** Makes `I` invariant in the types below: a handler must declare the contract's own request type, not a part of it. */
declare const input: unique symbol;

/** The kinds of callers that a handler is written for. A process serves it only if its contract admits these and no others. */
export type Callers = 'public' | 'wallet' | 'user' | 'service' | 'userOrService';

/** A unary handler with the callers that it is written for. */
export type Method<I, O> = {
  callers: Callers;
  invoke: (request: I, call: Call<Caller | undefined>) => Promise<O> | O;
  [input]?: I;
};

/** A streaming handler with the callers that it is written for. */
export type StreamMethod<I, O> = {
  callers: Callers;
  open: (request: I, call: Call<Caller | undefined>) => AsyncIterable<O>;
  /** How many streams of this method may be open at a process, besides the limits of all methods. */
  limits?: StreamLimits;
  [input]?: I;
};

// The server authorizes the caller by the contract before it invokes the handler, so the caller has the type that the handler expects.
const methodFor =
  <C>(callers: Callers) =>
  <I, O>(handler: Handler<I, O, C>): Method<I, O> => ({ callers, invoke: handler as Method<I, O>['invoke'] });

export const publicMethod = methodFor<undefined>('public');
export const walletMethod = methodFor<WalletCaller>('wallet');
export const userMethod = methodFor<UserCaller>('user');
/** For services, and for processes if the contract excludes people. */
export const serviceMethod = methodFor<ServiceCaller>('service');
export const userOrServiceMethod = methodFor<UserCaller | ServiceCaller>('userOrService');

/**
 * Only services open streams: a user's session may end while one is open. A stream ends when the token that opened it expires.
 * @param limits how many streams of this method may be open at a process
 */
export const serviceStream = <I, O>(handler: StreamHandler<I, O, ServiceCaller>, limits?: StreamLimits): StreamMethod<I, O> => ({
  callers: 'service',
  open: handler as StreamMethod<I, O>['open'],
  ...(limits === undefined ? {} : { limits }),
});

type MethodOf<M extends DescMethod> = M extends { methodKind: 'server_streaming' }
  ? StreamMethod<MessageShape<M['input']>, MessageInitShape<M['output']>>
  : Method<MessageShape<M['input']>, MessageInitShape<M['output']>>;

/** One method per RPC of a service contract, of the contract's kind. A missing method is a type error, and prevents the server from starting. */
export type Methods<S extends DescService> = { [K in keyof S['method']]: MethodOf<S['method'][K]> };
