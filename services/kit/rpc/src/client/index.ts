export { isTokenExpiry, undefinedOn } from './answers.ts';
export { createBatchedLookups } from './batched-lookups.ts';
export {
  type ClientsOf,
  clientsOf,
  createRpcChannel,
  onBehalfOf,
  type RpcChannel,
  type RpcClientOptions,
  withinRequest,
} from './client.ts';
