export { onlyKnownCodes, undefinedOn } from './answers.ts';
export { createRpcChannel, onBehalfOf, type RpcChannel, type RpcClientOptions, withinRequest } from './client.ts';
