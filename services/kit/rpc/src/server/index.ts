export type { Policy } from '../contract/index.ts';
export { type AuditedCall, type AuditTrail, type CallToRecord, REASON_HEADER, recordReveal, recordUserCall } from './audit.ts';
export { authorize } from './authorize.ts';
export type { Surroundings } from './call-frame.ts';
export { implement, type ServiceImplementation } from './implement.ts';
export { type Listener, listen } from './listener.ts';
export {
  type Call,
  type Method,
  type Methods,
  processMethod,
  publicMethod,
  type StreamMethod,
  serviceMethod,
  serviceStream,
  userMethod,
  userOrServiceMethod,
  walletMethod,
} from './method.ts';
export { parseRequest } from './parse-request.ts';
export { type RpcServerOptions, startRpcServer } from './server.ts';
export { userOfCall } from './user-of-call.ts';
