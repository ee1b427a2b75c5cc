export { type ChainNodes, createChainNodes, type PinnedChain } from './chain-nodes.ts';
export { chainShape, nodeUrls, openChainNodes } from './config.ts';
export { acceptedByContract, askContract, contractSignatureCall } from './contract-signature-call.ts';
export { createJsonRpc, createJsonRpcClient, type JsonRpc, type JsonRpcBatch, JsonRpcError } from './json-rpc.ts';
export { slotOf, storageRoot } from './storage-root.ts';
