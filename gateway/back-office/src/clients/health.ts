import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Overview } from '../contract/index.ts';

/**
 * Reports whether a service serves, by its own health check. It waits as long as any other call: on a busy machine, a service that answers late is not one
 * that is away, and operators should not be called for it.
 */
export const healthOf = async (name: string, channel: Pick<RpcChannel, 'client'>): Promise<Overview['services'][number]> => {
  try {
    const { status } = await channel.client(Health).check({});
    return { name, status: status === Status.SERVING ? 'serving' : 'not-serving' };
  } catch (error) {
    return { name, status: error instanceof CodedError && error.code === 'UPSTREAM_TIMEOUT' ? 'late' : 'unreachable' };
  }
};
