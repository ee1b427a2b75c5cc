import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';

export type GrpcClient<S extends DescService> = { client: Client<S>; close: () => void };

/** Opens a plain gRPC client, as external platform services use it: all calls share one HTTP/2 connection. Rejects with ConnectError. */
export const openGrpcClient = <S extends DescService>(service: S, baseUrl: string): GrpcClient<S> => {
  const sessionManager = new Http2SessionManager(baseUrl);
  return { client: createClient(service, createGrpcTransport({ baseUrl, sessionManager })), close: () => sessionManager.abort() };
};
