import type { DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller, ServiceCaller, UserCaller, WalletCaller } from '../auth/index.ts';
import type { Logger } from '../observe/index.ts';
import type { StreamLimits } from './stream-slots.ts';

/** Who may call a method. */
export type Policy =
  | { access: 'public' }
  /** A signed-in wallet, registered or not. */
  | { access: 'wallet' }
  /** A registered user. */
  | { access: 'user' }
  /** A service whose token carries the scope. */
  | { access: 'service'; scope: string }
  /** The same, unless the client is a person. */
  | { access: 'process'; scope: string }
  | { access: 'userOrService'; scope: string };

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

/** A unary handler with its policy. */
export type Method<I, O> = {
  policy: Policy;
  invoke: (request: I, call: Call<Caller | undefined>) => Promise<O> | O;
  [input]?: I;
};

/** A streaming handler with its policy. */
export type StreamMethod<I, O> = {
  policy: Policy;
  open: (request: I, call: Call<Caller | undefined>) => AsyncIterable<O>;
  /** How many streams of this method may be open at a process, besides the limits of all methods. */
  limits?: StreamLimits;
  [input]?: I;
};

// The server authorizes the caller by the policy before it invokes the handler, so the caller has the type that the handler expects.
const method =
  <C>() =>
  <I, O>(policy: Policy, handler: Handler<I, O, C>): Method<I, O> => ({
    policy,
    invoke: handler as Method<I, O>['invoke'],
  });

export const publicMethod = <I, O>(handler: Handler<I, O, undefined>) => method<undefined>()({ access: 'public' }, handler);
export const walletMethod = <I, O>(handler: Handler<I, O, WalletCaller>) => method<WalletCaller>()({ access: 'wallet' }, handler);
export const userMethod = <I, O>(handler: Handler<I, O, UserCaller>) => method<UserCaller>()({ access: 'user' }, handler);
export const serviceMethod = <I, O>(scope: string, handler: Handler<I, O, ServiceCaller>) =>
  method<ServiceCaller>()({ access: 'service', scope }, handler);
/** For what a person orders in another way, for example where a second one approves it. */
export const processMethod = <I, O>(scope: string, handler: Handler<I, O, ServiceCaller>) =>
  method<ServiceCaller>()({ access: 'process', scope }, handler);
export const userOrServiceMethod = <I, O>(scope: string, handler: Handler<I, O, UserCaller | ServiceCaller>) =>
  method<UserCaller | ServiceCaller>()({ access: 'userOrService', scope }, handler);

/**
 * Only services open streams: a user's session may end while one is open. A stream ends when the token that opened it expires.
 * @param limits how many streams of this method may be open at a process
 */
export const serviceStream = <I, O>(
  scope: string,
  handler: StreamHandler<I, O, ServiceCaller>,
  limits?: StreamLimits,
): StreamMethod<I, O> => ({
  policy: { access: 'service', scope },
  open: handler as StreamMethod<I, O>['open'],
  ...(limits === undefined ? {} : { limits }),
});

type MethodOf<M extends DescMethod> = M extends { methodKind: 'server_streaming' }
  ? StreamMethod<MessageShape<M['input']>, MessageInitShape<M['output']>>
  : Method<MessageShape<M['input']>, MessageInitShape<M['output']>>;

/** One method per RPC of a service contract, of the contract's kind. A missing method is a type error, and prevents the server from starting. */
export type Methods<S extends DescService> = { [K in keyof S['method']]: MethodOf<S['method'][K]> };
