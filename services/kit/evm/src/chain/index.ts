export { type ChainNodes, createChainNodes, type PinnedChain } from './chain-nodes.ts';
export { chainShape, openChainNodes } from './config.ts';
export { acceptedByContract, askContract, contractSignatureCall } from './contract-signature-call.ts';
