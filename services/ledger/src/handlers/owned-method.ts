import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { type Call, type Method, processMethod, serviceMethod, userMethod } from '@florin/rpc/server';
import type { Journal } from '../journal/journal.ts';
import type { Shards } from '../shards/shards.ts';

/** The validated request. The shard of the account decides which instance runs the RPC. */
type Target = { accountId: string };

/** Admits the callers of an RPC and serves them with a handler. */
type Policy<I, O, C> = (handler: (request: I, call: Call<C>) => Promise<O>) => Method<I, O>;

/** Service tokens with this scope. */
export const withScope =
  <I, O>(scope: string): Policy<I, O, ServiceCaller> =>
  (handler) =>
    serviceMethod(scope, handler);

/** The same, but no people: what moves money is ordered by them as an adjustment. */
export const forProcesses =
  <I, O>(scope: string): Policy<I, O, ServiceCaller> =>
  (handler) =>
    processMethod(scope, handler);

/** The user themselves. */
export const forUsers =
  <I, O>(): Policy<I, O, UserCaller> =>
  (handler) =>
    userMethod(handler);

/**
 * Creates an RPC about one account. The instance that owns the account's shard runs it; any other instance forwards the call with the
 * caller's own token.
 * @param shards finds the owners
 * @param rpc the RPC itself, for forwarding it
 * @param policy who may call it
 * @param read validates the request and returns its account; runs on the instance that receives the call
 * @param handler runs on the shard's journal
 * @throws CodedError SERVICE_UNAVAILABLE and the codes that `read` and `handler` raise
 */
export const ownedMethod = <I extends DescMessage, O extends DescMessage, C, T extends Target>(
  shards: Pick<Shards, 'atOwner'>,
  rpc: DescMethodUnary<I, O>,
  policy: Policy<MessageShape<I>, MessageInitShape<O>, C>,
  read: (request: MessageShape<I>, call: Call<C>) => T | Promise<T>,
  handler: (target: T, journal: Journal) => Promise<MessageInitShape<O>>,
): Method<MessageShape<I>, MessageInitShape<O>> =>
  policy(async (request, call) => {
    const target = await read(request, call);
    return shards.atOwner(target.accountId, { rpc, request, call }, (journal) => handler(target, journal));
  });
