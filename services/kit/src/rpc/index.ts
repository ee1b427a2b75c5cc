export { onlyKnownCodes, undefinedOn } from './answers.ts';
export { authorize } from './authorize.ts';
export { type Bound, bind } from './bind.ts';
export type { Surroundings } from './call-frame.ts';
export { createRpcChannel, onBehalfOf, type RpcChannel, type RpcClientOptions, withinRequest } from './client.ts';
export { createHealthCheck, type HealthChecks } from './health.ts';
export { implement, type ServiceImplementation } from './implement.ts';
export { type Listener, listen } from './listener.ts';
export {
  type Call,
  type Method,
  type Methods,
  type Policy,
  publicMethod,
  publicStream,
  type StreamMethod,
  serviceMethod,
  serviceStream,
  userMethod,
  userOrServiceMethod,
  userOrServiceStream,
  userStream,
  walletMethod,
  walletStream,
} from './method.ts';
export { parseRequest } from './parse-request.ts';
export { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts';
export { type RpcServerOptions, startRpcServer } from './server.ts';
