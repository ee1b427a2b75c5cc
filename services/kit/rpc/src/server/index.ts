export type { Policy } from '../contract/index.ts';
export {
  type AuditedCall,
  type AuditTrail,
  type CallToRecord,
  createRefusalCount,
  REASON_HEADER,
  recordReveal,
  recordUserCall,
} from './audit.ts';
export { authorize } from './authorize.ts';
export type { Surroundings } from './call-frame.ts';
export { implement, type ServiceImplementation } from './implement.ts';
export { type Listener, listen } from './listener.ts';
export {
  type Call,
  type Callers,
  type Method,
  type Methods,
  publicMethod,
  type StreamMethod,
  serviceMethod,
  serviceStream,
  userMethod,
  userOrServiceMethod,
  walletMethod,
} from './method.ts';
export { type RpcServerOptions, startRpcServer } from './server.ts';
export { userOfCall } from './user-of-call.ts';
