import type { DescService } from '@bufbuild/protobuf';
import type { CallOptions, Client } from '@connectrpc/connect';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { RpcChannel } from '@florin/rpc/client';

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'USER_NOT_REGISTERED', 'FORBIDDEN']);

const blameOurselves = (error: unknown): never => {
  if (error instanceof CodedError && REFUSALS.has(error.code)) throw new CodedError('INTERNAL_ERROR', { cause: error });
  throw error;
};

const carriesToken = (options: CallOptions | undefined): boolean => options?.headers !== undefined && 'authorization' in options.headers;

type Unary = (request: unknown, options?: CallOptions) => Promise<unknown>;

/**
 * A client whose calls in the gateway's own name never answer a person for what is the platform's fault: a service that refuses
 * the gateway itself (key, scope, clock) is an INTERNAL_ERROR, not the caller's 401. Streams are opened with a person's token only.
 */
export const openClient = <S extends DescService>(channel: RpcChannel, service: S): Client<S> => {
  const client = channel.client(service) as Record<string, Unary | undefined>;
  const methods = service.methods.map(({ localName, methodKind }) => {
    if (methodKind !== 'unary') return [localName, client[localName]];
    const call: Unary = (request, options) => {
      const answer = client[localName]?.(request, options) ?? Promise.reject(new CodedError('INTERNAL_ERROR'));
      return carriesToken(options) ? answer : answer.catch(blameOurselves);
    };
    return [localName, call];
  });
  return Object.fromEntries(methods) as Client<S>;
};
