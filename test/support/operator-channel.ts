import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import type { PlatformInProcess } from './platform-in-process.ts';

/** Opens a channel to a service with the key of the operator of a platform. @param baseUrl where the service listens */
export const openOperatorChannel = (
  { operatorKey }: Pick<PlatformInProcess, 'operatorKey'>,
  { audience, baseUrl, scopes }: { audience: string; baseUrl: string | undefined; scopes: readonly string[] },
): RpcChannel => {
  const serviceToken = createServiceTokenSource({ key: serviceKeySchema.parse(operatorKey), audience, scopes });
  return createRpcChannel({ baseUrl: baseUrl ?? '', serviceToken });
};
