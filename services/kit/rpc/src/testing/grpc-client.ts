import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';

export type GrpcClient<S extends DescService> = { client: Client<S>; close: () => void };

/** A client as platform services written by others have it: gRPC, all calls on one HTTP/2 connection. Rejects with ConnectErrors. */
export const openGrpcClient = <S extends DescService>(service: S, baseUrl: string): GrpcClient<S> => {
  const sessionManager = new Http2SessionManager(baseUrl);
  return { client: createClient(service, createGrpcTransport({ baseUrl, sessionManager })), close: () => sessionManager.abort() };
};
