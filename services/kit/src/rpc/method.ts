import type { DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller, ServiceCaller, UserCaller, WalletCaller } from '../auth/index.ts';
import type { Logger } from '../observe/index.ts';

/** Who may call a method. */
export type Policy =
  | { access: 'public' }
  /** A signed-in wallet, registered or not. */
  | { access: 'wallet' }
  /** A registered user. */
  | { access: 'user' }
  /** A service whose token carries the scope. */
  | { access: 'service'; scope: string }
  | { access: 'userOrService'; scope: string };

/** What a handler knows about the call besides the message. */
export type Call<C> = {
  caller: C;
  requestId: string;
  /** Aborts when the caller hangs up or the deadline passes. */
  signal: AbortSignal;
  logger: Logger;
  /** The caller's own token, to be handed on to another service on the caller's behalf; empty on public methods. */
  token: string;
};

type Handler<I, O, C> = (request: I, call: Call<C>) => Promise<O> | O;

declare const input: unique symbol;

/** A handler with its policy: neither exists without the other. */
export type Method<I, O> = {
  policy: Policy;
  invoke: (request: I, call: Call<Caller | undefined>) => Promise<O> | O;
  [input]?: I;
};

// The server establishes the caller by the policy before it invokes the handler; these casts state that contract in one place.
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
export const userOrServiceMethod = <I, O>(scope: string, handler: Handler<I, O, UserCaller | ServiceCaller>) =>
  method<UserCaller | ServiceCaller>()({ access: 'userOrService', scope }, handler);

/** One method per RPC of a service contract. A missing one is a type error, and stops the start. */
export type Methods<S extends DescService> = {
  [K in keyof S['method']]: Method<MessageShape<S['method'][K]['input']>, MessageInitShape<S['method'][K]['output']>>;
};
