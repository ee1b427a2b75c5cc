import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Call, Method } from '@florin/rpc/server';
import type { Journal } from '../journal/journal.ts';
import type { Shards } from '../shards/shards.ts';

/** The validated request. The shard of the account decides which instance runs the RPC. */
type Target = { accountId: string };

/** Creates a method for the callers that it is written for. */
type MethodFor<C> = <I, O>(handler: (request: I, call: Call<C>) => Promise<O>) => Method<I, O>;

/**
 * Creates an RPC about one account. The instance that owns the account's shard runs it; any other instance forwards the call with the
 * caller's own token.
 * @param shards finds the owners
 * @param rpc the RPC itself, for forwarding it
 * @param methodFor creates a method for its callers, for example `serviceMethod`
 * @param read judges what the contract of the request does not, and returns its account; runs on the instance that receives the call
 * @param handler runs on the shard's journal
 */
export const ownedMethod = <I extends DescMessage, O extends DescMessage, C, T extends Target>(
  shards: Pick<Shards, 'atOwner'>,
  rpc: DescMethodUnary<I, O>,
  methodFor: MethodFor<C>,
  read: (request: MessageShape<I>, call: Call<C>) => T | Promise<T>,
  handler: (target: T, journal: Journal) => Promise<MessageInitShape<O>>,
): Method<MessageShape<I>, MessageInitShape<O>> =>
  methodFor(async (request: MessageShape<I>, call) => {
    const target = await read(request, call);
    return shards.atOwner(target.accountId, { rpc, request, call }, (journal) => handler(target, journal));
  });
