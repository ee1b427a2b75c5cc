import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { type Call, type Method, serviceMethod, userMethod } from '@florin/rpc/server';
import type { Journal } from '../journal/journal.ts';
import type { Shards } from '../shards/shards.ts';

/** What a request is about, as its handler reads it: an account, whose shard decides where the RPC runs. */
type Target = { accountId: string };

/** Admits the callers of an RPC, and serves them with a handler. */
type Policy<I, O, C> = (handler: (request: I, call: Call<C>) => Promise<O>) => Method<I, O>;

/** Service tokens with this scope. */
export const withScope =
  <I, O>(scope: string): Policy<I, O, ServiceCaller> =>
  (handler) =>
    serviceMethod(scope, handler);

/** The user themselves. */
export const forUsers =
  <I, O>(): Policy<I, O, UserCaller> =>
  (handler) =>
    userMethod(handler);

/**
 * An RPC about one account, run by the owner of the account's shard: here, or repeated there in its caller's name.
 * @param shards where the owners are
 * @param rpc the RPC itself, for repeating it
 * @param policy who may call it
 * @param read checks the request and says which account it is about; runs wherever the call arrives
 * @param handler does the work on the shard's journal
 * @throws CodedError what `read` and `handler` raise, SERVICE_UNAVAILABLE
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
