import { randomBytes } from 'node:crypto';
import type { DescMessage, DescMethodUnary, MessageShape } from '@bufbuild/protobuf';
import { InstanceService } from '@florin/proto/ledger/v1/instance_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';
import { CodedError, isAnswer } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Call, REASON_HEADER } from '@florin/rpc/server';
import type { InstanceProofs } from './instance-proof.ts';

/** Marks a call that another instance has forwarded. Such a call is never forwarded again. */
const FORWARDED_HEADER = 'florin-forwarded';

/** Marks the answer of an instance to a forwarded call for a shard that it does not own. */
const ELSEWHERE = { shard: 'elsewhere' } as const;

/** Longer than an owner lets its callers wait. */
const CALL_TIMEOUT_MS = 10_000;

/** An instance proves itself again after so long: its address may belong to another process by then. */
const PROVEN_MS = 3000;
const NONCE_BYTES = 32;

type AnyCall = Pick<Call<unknown>, 'token' | 'requestId' | 'signal' | 'header'>;

/** A call as it came: the RPC is repeated at the owner unchanged. */
export type Ask<I extends DescMessage, O extends DescMessage> = {
  rpc: DescMethodUnary<I, O>;
  request: MessageShape<I>;
  call: AnyCall;
};

export const isForwarded = (call: AnyCall): boolean => call.header(FORWARDED_HEADER) !== null;

/** The error of a forwarded call at an instance that does not own the shard. */
export const elsewhere = (): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', { message: 'this instance does not own the shard', metadata: ELSEWHERE });

/** Reports whether a forwarded call was answered by an instance that does not own the shard. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'SERVICE_UNAVAILABLE' && isAnswer(error) && error.metadata['shard'] === ELSEWHERE.shard;

/** Reports whether a forwarded call failed because it did not reach the owner: the instance was not reached, or does not own the shard. */
export const missedOwner = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'SERVICE_UNAVAILABLE' && (!isAnswer(error) || isElsewhere(error));

/** The other instances of the ledger. */
export type Peers = {
  /**
   * Repeats an RPC at another instance in the name of its caller, whose own token travels: an instance can do no more than its callers.
   * The other instance proves itself first; nothing is sent to a process that cannot.
   * @param signal ends the call
   * @throws CodedError what the other instance raised, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  forward: <I extends DescMessage, O extends DescMessage>(url: string, ask: Ask<I, O>, signal: AbortSignal) => Promise<MessageShape<O>>;
  /** For how long no call to this url has been answered, in milliseconds; 0 when the last one was. */
  silentMs: (url: string) => number;
  /** Ends the connections to all others. */
  keepOnly: (urls: ReadonlySet<string>) => void;
  close: () => Promise<void>;
};

export type PeersOptions = {
  /** Opens a channel to an instance. */
  connect: (url: string, timeoutMs: number) => RpcChannel;
  proofs: Pick<InstanceProofs, 'isProof'>;
  logger: Logger;
};

export const createPeers = ({ connect, proofs, logger }: PeersOptions): Peers => {
  const channels = new Map<string, RpcChannel>();
  const silentSince = new Map<string, number>();
  /** When each instance was asked for the proof that it gave last, by a monotonic clock. */
  const provenAt = new Map<string, number>();

  const channelTo = (url: string): RpcChannel => {
    const channel = channels.get(url) ?? connect(url, CALL_TIMEOUT_MS);
    channels.set(url, channel);
    return channel;
  };

  const drop = async (url: string): Promise<void> => {
    const channel = channels.get(url);
    channels.delete(url);
    silentSince.delete(url);
    provenAt.delete(url);
    await channel?.close();
  };

  /** @throws CodedError SERVICE_UNAVAILABLE, as when the instance is not reached */
  const requireProof = async (url: string): Promise<void> => {
    const at = performance.now();
    if (at < (provenAt.get(url) ?? Number.NEGATIVE_INFINITY) + PROVEN_MS) return;
    const nonce = randomBytes(NONCE_BYTES);
    try {
      const { signature } = await channelTo(url).client(InstanceService).proveInstance({ nonce });
      if (!proofs.isProof(url, nonce, signature)) throw new Error('its signature is wrong');
      provenAt.set(url, at);
    } catch (cause) {
      logger.warn({ err: cause, url }, 'a process that is named as an instance of the ledger has not proved to be one');
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the instance has not proved itself', cause });
    }
  };

  return {
    forward: async (url, { rpc, request, call }, signal) => {
      const client = channelTo(url).client(rpc.parent) as unknown as Record<string, (...args: unknown[]) => Promise<never>>;
      const { headers } = onBehalfOf(call);
      // The owner records the calls of people as well, and needs their reason.
      const reason = call.header(REASON_HEADER);
      const at = performance.now();
      try {
        await requireProof(url);
        const answer = await client[rpc.localName]?.(request, {
          headers: { ...headers, [FORWARDED_HEADER]: '1', ...(reason === null ? {} : { [REASON_HEADER]: reason }) },
          signal,
        });
        silentSince.delete(url);
        return answer as never;
      } catch (error) {
        if (error instanceof CodedError && isAnswer(error)) silentSince.delete(url);
        else {
          provenAt.delete(url);
          if (!signal.aborted && !silentSince.has(url)) silentSince.set(url, at);
        }
        throw error;
      }
    },
    silentMs: (url) => {
      const since = silentSince.get(url);
      return since === undefined ? 0 : performance.now() - since;
    },
    keepOnly: (urls) => {
      for (const url of [...channels.keys()]) if (!urls.has(url)) drop(url).catch(() => undefined);
    },
    close: async () => {
      await Promise.all([...channels.keys()].map(drop));
    },
  };
};
